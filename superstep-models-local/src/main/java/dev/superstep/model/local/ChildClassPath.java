package dev.superstep.model.local;

import dev.superstep.model.ModelException;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;

/// The few jars, or directories of classes, that the child needs of what this process runs on.
final class ChildClassPath {
  // By name, since this module does not read most of them.
  private static final List<String> WITNESSES =
      List.of(
          "dev.superstep.model.local.LlamaChild",
          "dev.superstep.model.ModelException",
          "dev.superstep.json.Json",
          "de.kherud.llama.LlamaModel",
          "tools.jackson.databind.ObjectMapper",
          "tools.jackson.core.JsonParser",
          "com.fasterxml.jackson.annotation.JsonTypeInfo",
          "org.jspecify.annotations.Nullable");

  private ChildClassPath() {}

  static String find() {
    var parts = new LinkedHashSet<String>();
    for (var witness : WITNESSES) parts.add(location(witness).toString());
    return String.join(File.pathSeparator, parts);
  }

  private static Path location(String witness) {
    try {
      // Not initialized: the binding would load its native library here.
      var type = Class.forName(witness, false, ChildClassPath.class.getClassLoader());
      var source = type.getProtectionDomain().getCodeSource();
      var path = source == null ? null : Path.of(source.getLocation().toURI());
      if (path != null && Files.exists(path)) return path;
    } catch (ClassNotFoundException
        | URISyntaxException
        | IllegalArgumentException
        | FileSystemNotFoundException _) {
      // Told below.
    }
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "Local models run in a process of their own, which needs "
            + witness
            + " in a jar file on disk. Run from plain jars, or use `ollama://`.");
  }
}
