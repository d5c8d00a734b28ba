package dev.superstep.model.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file that the user has already.
record FileSource(Path file) implements PullSource {
  @Override
  public String title(KnownModel model) {
    return "file " + file;
  }

  @Override
  public String suffix() {
    return "file";
  }

  @Override
  public void fetch(KnownModel model, Path part, PullListener listener)
      throws IOException, InterruptedException {
    if (!Files.isRegularFile(file)) throw new IOException("there is no such file");
    long size = Files.size(file);
    if (size != model.bytes()) {
      throw new IOException("it has " + size + " bytes, the weights have " + model.bytes());
    }
    try (var in = Files.newInputStream(file);
        var out = Files.newOutputStream(part)) {
      ByteCopier.copy(in, out, 0, model.bytes(), listener);
    }
  }
}
