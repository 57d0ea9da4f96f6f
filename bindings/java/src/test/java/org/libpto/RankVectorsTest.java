// Replays ranks.txt, which tests/conformance/generate_ranks.c makes: calls between ranks, and the windows after them.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RankVectorsTest extends WithContext {
  private int ranks;
  private int size;
  private final List<byte[]> before = new ArrayList<>();

  private static DType dtype(String name) {
    return DType.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static String camel(String function) {
    StringBuilder name = new StringBuilder();
    for (String word : function.split("_")) name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    return name.toString();
  }

  // The result, or null.
  private static Object call(Context at, String function, Object[] arguments) throws Exception {
    for (Method method : Context.class.getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      if (!method.getName().equals(camel(function)) || types.length != arguments.length) continue;
      Object[] converted = arguments.clone();
      for (int i = 0; i < types.length; i++) {
        if (types[i].isEnum()) converted[i] = types[i].getMethod("of", int.class).invoke(null, arguments[i]);
      }
      try {
        return method.invoke(at, converted);
      } catch (InvocationTargetException e) {
        throw (Exception) e.getCause();
      }
    }
    throw new AssertionError("no method for " + function);
  }

  // A message of the vectors, with the language's names in place of C's.
  private static void assertSaid(String inC, String said, String name) {
    String wanted = Arrays.stream(Words.NAME.split(inC, -1)).map(Pattern::quote).collect(Collectors.joining("[\\w.]+"));
    assertTrue(said.matches(wanted) && !Words.NAME.matcher(said).find(), name + ": " + said);
  }

  private void replay(String name, List<String> lines) throws Exception {
    try (World world = new World(ctx, ranks, size)) {
      List<AutoCloseable> made = new ArrayList<>();
      Context[] contexts = new Context[ranks];
      Tensor[] windows = new Tensor[ranks];
      byte[][] after = new byte[ranks][];
      for (int rank = 0; rank < ranks; rank++) {
        contexts[rank] = world.context(ctx, rank);
        windows[rank] = world.tensor(ctx, rank, new TensorSpec(DType.U8, size), 0);
        windows[rank].write(ctx, before.get(rank));
        after[rank] = before.get(rank).clone();
        made.addAll(List.of(contexts[rank], windows[rank]));
      }
      Map<String, Object> operands = new HashMap<>();
      operands.put("-", null);
      Object result = null;
      PtoException error = null;
      for (String line : lines) {
        String[] w = line.split(" ");
        switch (w[0]) {
          case "tensor" -> {
            TensorSpec spec = new TensorSpec(dtype(w[3]), Long.parseLong(w[4]), Long.parseLong(w[5])).strides(Long.parseLong(w[6]), 1);
            Tensor tensor = world.tensor(ctx, Integer.parseInt(w[2]), spec, Long.parseLong(w[7]));
            operands.put(w[1], tensor);
            made.add(tensor);
          }
          case "tile" -> {
            TileSpec spec = new TileSpec(dtype(w[2]), Integer.parseInt(w[3]), Integer.parseInt(w[4]))
                .location(Location.of(Integer.parseInt(w[5])));
            Tile tile = new Tile(ctx, spec);
            operands.put(w[1], tile);
            made.add(tile);
          }
          case "group" -> {
            Tensor[] members = Arrays.stream(w, 3, w.length).map(member -> (Tensor) operands.get(member)).toArray(Tensor[]::new);
            Group group = new Group(ctx, Integer.parseInt(w[2]), members);
            operands.put(w[1], group);
            made.add(group);
          }
          case "call" -> {
            boolean event = w[2].endsWith("async_event");
            Object[] arguments = new Object[w.length - 3];
            for (int i = 0; i < arguments.length; i++) {
              String word = w[i + 3];
              if (operands.containsKey(word)) {
                arguments[i] = operands.get(word);
              } else if (event && i == 0) {
                arguments[i] = Long.valueOf(word);
              } else {
                arguments[i] = Integer.valueOf(word);
              }
            }
            result = null;
            error = null;
            try {
              result = call(contexts[Integer.parseInt(w[1])], w[2], arguments);
            } catch (PtoException e) {
              error = e;
            }
          }
          case "want" -> {
            String value = result == null ? "-" : result instanceof Boolean holds ? holds ? "1" : "0" : result.toString();
            String[] got = error == null ? new String[] {"want", "0", "-", "-", value}
                                         : new String[] {"want", String.valueOf(error.statusCode()), error.rule(), error.operand(), "-"};
            assertArrayEquals(w, got, name);
          }
          case "text" -> assertSaid(line.substring(5), error.getMessage(), name);
          case "help" -> assertSaid(line.substring(5), error.remedy(), name);
          case "after" -> {
            byte[] data = HexFormat.of().parseHex(w[3]);
            System.arraycopy(data, 0, after[Integer.parseInt(w[1])], Integer.parseInt(w[2]), data.length);
          }
          default -> throw new AssertionError(line);
        }
      }
      for (int rank = 0; rank < ranks; rank++) {
        byte[] got = new byte[size];
        windows[rank].read(ctx, got);
        assertArrayEquals(after[rank], got, name + ": the window of rank " + rank);
      }
      for (AutoCloseable one : made) one.close();
    }
  }

  @Test
  void everyVector() throws Exception {
    int count = 0;
    String name = "";
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(System.getProperty("pto.vectors")).resolveSibling("ranks.txt"))) {
      String[] w = line.split(" ");
      switch (w[0]) {
        case "#" -> {}
        case "world" -> {
          ranks = Integer.parseInt(w[1]);
          size = Integer.parseInt(w[2]);
        }
        case "window" -> before.add(HexFormat.of().parseHex(w[2]));
        case "case" -> {
          name = w[1];
          lines.clear();
        }
        case "end" -> {
          replay(name, lines);
          count++;
        }
        default -> lines.add(line);
      }
    }
    assertTrue(count > 300, count + " cases");
  }
}
