// Finds the native part: in the folder that the system property org.libpto.nativeDir names,
// else in the jar, else on java.library.path.
package org.libpto;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

final class NativeLoader {
  private NativeLoader() {}

  static void load() {
    String folder = System.getProperty("org.libpto.nativeDir");
    if (folder != null) {
      System.load(Path.of(folder, System.mapLibraryName("pto_jni")).toAbsolutePath().toString());
      return;
    }
    String base = "/native/" + os() + "-" + arch() + "/";
    // One name a line, in the order of loading: the second needs the first.
    try (InputStream list = NativeLoader.class.getResourceAsStream(base + "files")) {
      if (list == null) {
        System.loadLibrary("pto_jni");
        return;
      }
      Path temporary = Files.createTempDirectory("libpto");
      try {
        for (String name : new String(list.readAllBytes(), StandardCharsets.US_ASCII).trim().split("\\s+")) {
          Path copy = temporary.resolve(name);
          try (InputStream in = NativeLoader.class.getResourceAsStream(base + name)) {
            if (in == null) throw new IOException(base + name + " is not in the jar");
            Files.copy(in, copy);
          }
          System.load(copy.toString());
        }
      } finally {
        delete(temporary);
      }
    } catch (IOException e) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError("libpto's native part: " + e.getMessage());
      error.initCause(e);
      throw error;
    }
  }

  // A loaded library needs its file no more; where the system thinks otherwise it goes at exit.
  private static void delete(Path temporary) throws IOException {
    temporary.toFile().deleteOnExit();
    try (var files = Files.list(temporary)) {
      files.forEach(file -> {
        if (!file.toFile().delete()) file.toFile().deleteOnExit();
      });
    }
    temporary.toFile().delete();
  }

  private static String os() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("linux") ? "linux" : name.startsWith("mac") ? "macos" : "windows";
  }

  private static String arch() {
    String name = System.getProperty("os.arch");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
