package dev.superstep.files;

import java.util.List;

/// Paths that lead out of a tree, or are not plainly paths.
final class FileEscapes {
  static final List<String> PATHS =
      List.of(
          "",
          "..",
          "../outside/secret.txt",
          "a/../../outside/secret.txt",
          "new/../../outside",
          "/",
          "/etc/passwd",
          "//etc/passwd",
          "~",
          "~/.ssh/id_rsa",
          "file:///etc/passwd",
          "file:/etc/passwd",
          "http://example.org/x",
          "C:\\Windows",
          "c:/Windows",
          "\\\\server\\share",
          "..\\outside",
          "a\u0000.txt",
          "a\nb",
          "a\u202Etxt.exe");

  private FileEscapes() {}
}
