// The vectors that every language runs: inputs, expected bits and expected errors of each
// instruction and element type, once through the method and once through Inst.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConformanceTest {
  private static final class Case {
    String name;
    Profile profile;
    String op;
    int flags;
    final List<String[]> operands = new ArrayList<>();
    String[] want;
    String text; // null: not to be compared
    String help = "";
    final List<String[]> data = new ArrayList<>();
  }

  private static List<Case> cases() throws IOException {
    List<Case> all = new ArrayList<>();
    Case c = null;
    try (BufferedReader in = Files.newBufferedReader(Path.of(System.getProperty("pto.vectors")))) {
      for (String line; (line = in.readLine()) != null;) {
        if (line.isEmpty() || line.startsWith("#")) continue;
        String[] words = line.split(" ");
        switch (words[0]) {
          case "case" -> {
            c = new Case();
            c.name = words[1];
            c.profile = Profile.valueOf(words[2]);
            c.op = words[3];
            c.flags = Integer.parseUnsignedInt(words[4]);
          }
          case "tile", "tensor", "scalar", "int", "same", "none" -> c.operands.add(words);
          case "want" -> c.want = words;
          case "text" -> c.text = line.substring(5);
          case "help" -> c.help = line.substring(5);
          case "data" -> c.data.add(words);
          case "end" -> all.add(c);
          default -> throw new IOException("unknown line: " + line);
        }
      }
    }
    return all;
  }

  private static byte[] bytes(String digits, int size) {
    byte[] bytes = new byte[digits.length() / 2];
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    for (int i = 0; i < bytes.length; i++) {
      int at = little ? i / size * size + size - 1 - i % size : i;
      bytes[at] = (byte) Integer.parseInt(digits, 2 * i, 2 * i + 2, 16);
    }
    return bytes;
  }

  // Through the array type that Java has for the element type.
  private static void write(Context ctx, Tile tile, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    switch (tile.dtype()) {
      case I8, U8, E4M3, E5M2, HIF8, E8M0, E2M1, E1M2, I4 -> tile.write(ctx, bytes);
      case I16, U16, F16, BF16 -> {
        short[] array = new short[bytes.length / 2];
        in.asShortBuffer().get(array);
        tile.write(ctx, array);
      }
      case I32, U32 -> {
        int[] array = new int[bytes.length / 4];
        in.asIntBuffer().get(array);
        tile.write(ctx, array);
      }
      case I64, U64 -> {
        long[] array = new long[bytes.length / 8];
        in.asLongBuffer().get(array);
        tile.write(ctx, array);
      }
      case F32 -> {
        float[] array = new float[bytes.length / 4];
        in.asFloatBuffer().get(array);
        tile.write(ctx, array);
      }
      default -> throw new AssertionError(tile.dtype());
    }
  }

  // The same, and from a direct buffer: both must agree.
  private static byte[] read(Context ctx, Tile tile) {
    int size = (int) tile.validBytes();
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    switch (tile.dtype()) {
      case I8, U8, E4M3, E5M2, HIF8, E8M0, E2M1, E1M2, I4 -> tile.read(ctx, out.array());
      case I16, U16, F16, BF16 -> {
        short[] array = new short[size / 2];
        tile.read(ctx, array);
        out.asShortBuffer().put(array);
      }
      case I32, U32 -> {
        int[] array = new int[size / 4];
        tile.read(ctx, array);
        out.asIntBuffer().put(array);
      }
      case I64, U64 -> {
        long[] array = new long[size / 8];
        tile.read(ctx, array);
        out.asLongBuffer().put(array);
      }
      case F32 -> {
        float[] array = new float[size / 4];
        tile.read(ctx, array);
        out.asFloatBuffer().put(array);
      }
      default -> throw new AssertionError(tile.dtype());
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    tile.read(ctx, direct);
    byte[] copy = new byte[size];
    direct.get(copy);
    assertArrayEquals(out.array(), copy, "the two ways of reading");
    return copy;
  }

  private static Tile tile(Context ctx, String[] w) {
    DType dtype = DType.valueOf(w[2].toUpperCase(Locale.ROOT));
    int[] n = Arrays.stream(w, 3, 12).mapToInt(Integer::parseInt).toArray();
    TileSpec spec = new TileSpec(dtype, n[0], n[1]).blayout(BLayout.of(n[4])).slayout(SLayout.of(n[5])).fractal(n[6])
        .location(Location.of(n[7])).storage(n[8] == -1 ? Storage.OWNED : Storage.MANUAL);
    Tile tile = new Tile(ctx, spec);
    if (n[8] >= 0) ctx.tassign(tile, n[8]);
    if (!w[12].equals("-")) write(ctx, tile, bytes(w[12], Pto.dtypeBytes(dtype)));
    tile.setValid(ctx, n[2], n[3]);
    return tile;
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder()).put(bytes).flip();
  }

  private static Tensor tensor(Context ctx, String[] w) {
    DType dtype = DType.valueOf(w[2].toUpperCase(Locale.ROOT));
    Tensor tensor = new Tensor(ctx, new TensorSpec(dtype, Long.parseLong(w[3]), Long.parseLong(w[4])));
    tensor.write(ctx, direct(bytes(w[5], Pto.dtypeBytes(dtype))));
    return tensor;
  }

  // Through the overload for the kind, which reflection finds by the class.
  private static Object scalar(String[] w) {
    long bits = Long.parseUnsignedLong(w[3], 16);
    return switch (ScalarKind.of(Integer.parseInt(w[2]))) {
      case INT -> bits;
      case UINT -> Scalar.ofUnsigned(bits);
      case FLOAT -> Double.longBitsToDouble(bits);
      default -> Scalar.ofBits(bits);
    };
  }

  private static void assertElements(Context ctx, Case c, Elements written, String data) {
    if (written instanceof Tile tile) {
      if (!c.op.equals("copy")) tile.setValid(ctx, Pto.VALID_ALL, Pto.VALID_ALL);
      assertArrayEquals(bytes(data, Pto.dtypeBytes(tile.dtype())), read(ctx, tile), c.name);
    } else {
      Tensor tensor = (Tensor) written;
      ByteBuffer out = ByteBuffer.allocateDirect((int) tensor.bytes()).order(ByteOrder.nativeOrder());
      tensor.read(ctx, out);
      assertEquals(direct(bytes(data, Pto.dtypeBytes(tensor.dtype()))), out, c.name);
    }
  }

  // tcolargmax_value -> tcolargmaxValue
  private static String camel(String op) {
    StringBuilder name = new StringBuilder();
    for (String word : op.split("_")) name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    return name.toString();
  }

  private static final Map<String, List<Method>> METHODS = Arrays.stream(Context.class.getMethods()).collect(Collectors.groupingBy(Method::getName));

  // The long form; scalar: the type that the overload takes.
  private static Method method(String op, Class<?> scalar) {
    int operands = Pto.opOperandCount(Pto.opFind(op));
    for (Method m : METHODS.getOrDefault(camel(op), List.of())) {
      List<Class<?>> types = Arrays.asList(m.getParameterTypes());
      if (types.size() != operands) continue;
      if (scalar == null || types.contains(scalar)) return m;
    }
    return null;
  }

  // A message of the vectors, with the language's names in place of C's.
  private static void assertSaid(String inC, String said, String name) {
    String wanted = Arrays.stream(Words.NAME.split(inC, -1)).map(Pattern::quote).collect(Collectors.joining("[\\w.]+"));
    assertTrue(said.matches(wanted) && !Words.NAME.matcher(said).find(), name + ": " + said);
  }

  private static void call(Context ctx, Case c, Object[] operands, boolean asObject) throws Exception {
    if (asObject) {
      try (Inst inst = new Inst(ctx, c.op)) {
        for (int i = 0; i < operands.length; i++) {
          if (operands[i] instanceof Tensor tensor) inst.setTensor(ctx, i, tensor);
          if (operands[i] instanceof Tile tile) inst.setTile(ctx, i, tile);
          if (operands[i] instanceof Scalar scalar) inst.setScalar(ctx, i, scalar);
          if (operands[i] instanceof Long number) inst.setScalar(ctx, i, number);
          if (operands[i] instanceof Double number) inst.setScalar(ctx, i, number);
          if (operands[i] instanceof Integer number) inst.setInt(ctx, i, number);
        }
        inst.setInt(ctx, operands.length, Integer.toUnsignedLong(c.flags));
        inst.run(ctx);
      }
      return;
    }
    Class<?> scalar = null;
    for (Object operand : operands) {
      if (operand instanceof Scalar) scalar = Scalar.class;
      if (operand instanceof Long) scalar = long.class;
      if (operand instanceof Double) scalar = double.class;
    }
    Method method = method(c.op, scalar);
    assertNotNull(method, c.op);
    Object[] arguments = Arrays.copyOf(operands, operands.length + 1, Object[].class);
    arguments[operands.length] = c.flags;
    for (int i = 0; i < operands.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      if (type.isEnum()) arguments[i] = type.getMethod("of", int.class).invoke(null, operands[i]);
    }
    try {
      method.invoke(ctx, arguments);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  private static void run(Case c, boolean asObject) throws Exception {
    Map<String, Elements> made = new HashMap<>();
    try (Context ctx = new Context(c.profile)) {
      Object[] operands = new Object[c.operands.size()];
      for (int i = 0; i < operands.length; i++) {
        String[] w = c.operands.get(i);
        if (w[0].equals("tile")) made.put(w[1], tile(ctx, w));
        if (w[0].equals("tensor")) made.put(w[1], tensor(ctx, w));
        if (w[0].equals("same")) made.put(w[1], made.get(w[2]));
        operands[i] = switch (w[0]) {
          case "scalar" -> scalar(w);
          case "int" -> Integer.valueOf(w[2]);
          default -> made.get(w[1]);
        };
      }
      String[] got = {"want", "0", "-", "-"};
      String text = "";
      String help = "";
      try {
        if (!c.op.equals("copy")) call(ctx, c, operands, asObject);
      } catch (PtoException e) {
        got = new String[] {"want", String.valueOf(e.statusCode()), e.rule().isEmpty() ? "-" : e.rule(),
          e.operand().isEmpty() ? "-" : e.operand()};
        text = e.getMessage();
        help = e.remedy();
      }
      assertArrayEquals(c.want, got, c.name);
      if (c.text != null) assertSaid(c.text, text, c.name);
      assertSaid(c.help, help, c.name);
      for (String[] w : c.data) assertElements(ctx, c, made.get(w[1]), w[2]);
    } finally {
      for (Elements elements : made.values()) elements.close();
    }
  }

  @Test
  void everyVector() throws Exception {
    List<Case> cases = cases();
    assertTrue(cases.size() > 100, "only " + cases.size() + " cases");
    for (Case c : cases) {
      run(c, false);
      if (!c.op.equals("copy")) run(c, true);
    }
  }

  @Test
  void everyInstructionOfTheLibraryIsAMethod() {
    for (int i = 0; i < Pto.opCount(); i++) {
      int op = Pto.opAt(i);
      Method method = method(Pto.opName(op), null);
      assertNotNull(method, Pto.opName(op));
      assertEquals(Pto.opOperandCount(op), method.getParameterCount(), Pto.opName(op));
      assertEquals(op, Op.valueOf(Pto.opName(op).toUpperCase(Locale.ROOT)).value());
    }
  }
}
