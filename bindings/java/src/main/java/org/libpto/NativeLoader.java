// Finds the native part: in the folder that the system property org.libpto.nativeDir names,
// else in the jar, from which it is copied to the folder that org.libpto.extractDir names or
// else to the system's temporary one, else on java.library.path.
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
      Path library = Path.of(folder, System.mapLibraryName("pto_jni")).toAbsolutePath();
      if (!Files.exists(library)) throw failure(library + " is not there; org.libpto.nativeDir must name its folder", null);
      link(() -> System.load(library.toString()), "it is made for another machine than " + platform());
      return;
    }
    String base = "/native/" + platform() + "/";
    // One name per line, in the order of loading: the second needs the first.
    try (InputStream list = NativeLoader.class.getResourceAsStream(base + "files")) {
      if (list == null) {
        link(() -> System.loadLibrary("pto_jni"), "this jar has none for " + platform()
            + "; build libpto there and name the folder of libpto_jni in -Dorg.libpto.nativeDir");
        return;
      }
      extract(base, new String(list.readAllBytes(), StandardCharsets.US_ASCII).trim().split("\\s+"));
    } catch (IOException e) {
      throw failure(e.toString() + "; name a folder that can be written in -Dorg.libpto.extractDir", e);
    }
  }

  private static void extract(String base, String[] names) throws IOException {
    String folder = System.getProperty("org.libpto.extractDir");
    Path temporary = folder == null ? Files.createTempDirectory("libpto")
        : Files.createTempDirectory(Files.createDirectories(Path.of(folder)), "libpto");
    try {
      for (String name : names) {
        Path copy = temporary.resolve(name);
        try (InputStream in = NativeLoader.class.getResourceAsStream(base + name)) {
          if (in == null) throw new IOException(base + name + " is not in the jar");
          Files.copy(in, copy);
        }
        link(() -> System.load(copy.toString()), "where " + temporary.getParent()
            + " is mounted noexec, name another folder in -Dorg.libpto.extractDir");
      }
    } finally {
      delete(temporary);
    }
  }

  private static void link(Runnable load, String advice) {
    try {
      load.run();
    } catch (UnsatisfiedLinkError e) {
      throw failure(e.getMessage() + ": " + advice, e);
    }
  }

  private static UnsatisfiedLinkError failure(String why, Throwable cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError("libpto's native part: " + why);
    error.initCause(cause);
    return error;
  }

  // A loaded library no longer needs its file; if the system needs it, the file is removed at exit.
  private static void delete(Path temporary) throws IOException {
    temporary.toFile().deleteOnExit();
    try (var files = Files.list(temporary)) {
      files.forEach(file -> {
        if (!file.toFile().delete()) file.toFile().deleteOnExit();
      });
    }
    temporary.toFile().delete();
  }

  private static String platform() {
    return os() + "-" + arch();
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
