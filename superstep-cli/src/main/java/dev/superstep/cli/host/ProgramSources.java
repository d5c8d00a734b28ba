package dev.superstep.cli.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/// The Java sources of a program's folder. This command compiles them by itself, by the compiler of
/// the JDK and against its own class path, if the folder's pom asks for no more than that. Classes
/// are in a folder that is named by a digest of the sources, so they are never stale, and those
/// that a running program has loaded stay. Annotation processors never run. Immutable.
final class ProgramSources {
  static final String FOLDER = "src/main/java";

  private static final String RESOURCES = "src/main/resources";
  private static final String OUTPUT = "target/superstep";
  private static final int FILES_MAX = 2_000;
  private static final long BYTES_MAX = 20L << 20;
  private static final int ERRORS_MAX = 20;
  private static final int DIGEST_BYTES = 8;

  private final Path root;
  private final List<Path> files;

  private ProgramSources(Path root, List<Path> files) {
    this.root = root;
    this.files = List.copyOf(files);
  }

  /// The classes of a program, and sentences for the user.
  ///
  /// @param classes folders
  record Built(List<Path> classes, List<String> notices) {}

  /// The sources in a folder, if it has some. Links are not followed.
  static Optional<ProgramSources> in(Path root) {
    var folder = FolderPath.inside(root, FOLDER);
    if (folder.isEmpty() || !Files.isDirectory(folder.get())) return Optional.empty();
    try (var all = Files.walk(folder.get())) {
      var files =
          all.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .sorted()
              .limit(FILES_MAX + 1L)
              .toList();
      return files.isEmpty() ? Optional.empty() : Optional.of(new ProgramSources(root, files));
    } catch (IOException e) {
      throw unreadable(folder.get(), e);
    }
  }

  /// The classes, compiled now unless they were before.
  ///
  /// @param other finds classes that Maven made, or throws
  /// @throws CompileFailed if the sources have errors
  Built built(Supplier<List<Path>> other) {
    var digest = digest();
    var ours = FolderPath.inside(root, OUTPUT + "/" + digest);
    if (ours.isPresent() && Files.isDirectory(ours.get())) return built(ours.get(), List.of());
    var reason = ours.isEmpty() ? Optional.of("has a target that is a link") : whyMaven();
    if (reason.isPresent()) {
      var classes = other.get();
      return new Built(classes, stale(classes) ? List.of(notice(reason.get())) : List.of());
    }
    compile(ours.get());
    int count = files.size();
    return built(
        ours.get(),
        List.of("compiled " + count + (count == 1 ? " file of " : " files of ") + FOLDER));
  }

  private Optional<String> whyMaven() {
    if (files.size() > FILES_MAX) return Optional.of("has more than " + FILES_MAX + " sources");
    boolean isModule = files.stream().anyMatch(file -> file.endsWith("module-info.java"));
    return isModule ? Optional.of("is a module") : ProgramPom.needsMaven(root);
  }

  private Built built(Path classes, List<String> notices) {
    var all = new ArrayList<>(List.of(classes));
    FolderPath.inside(root, RESOURCES).filter(Files::isDirectory).ifPresent(all::add);
    return new Built(all, notices);
  }

  private String notice(String reason) {
    return "sources in %s are newer than the classes, which run as they are; the folder %s, so build it by: %s"
        .formatted(FOLDER, reason, ProgramPom.command(root));
  }

  private boolean stale(List<Path> classes) {
    long built = classes.stream().mapToLong(ProgramSources::newest).max().orElse(0);
    return files.stream().mapToLong(ProgramSources::changed).max().orElse(0) > built;
  }

  private static long newest(Path classes) {
    if (!Files.isDirectory(classes)) return changed(classes);
    try (var all = Files.walk(classes)) {
      return all.filter(Files::isRegularFile).mapToLong(ProgramSources::changed).max().orElse(0);
    } catch (IOException e) {
      throw unreadable(classes, e);
    }
  }

  private static long changed(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// Names what the classes depend on: the sources, the pom, this command and its Java.
  private String digest() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      add(digest, BuildVersion.line() + " " + Runtime.version());
      long bytes = 0;
      var read = new ArrayList<>(files);
      var pom = root.resolve(ProgramPom.FILE);
      if (Files.isRegularFile(pom)) read.add(pom);
      for (var file : read) {
        bytes += Files.size(file);
        if (bytes > BYTES_MAX) {
          throw new UsageError(
              "program.too-large", "The sources in " + root + " are too large to compile here.");
        }
        add(digest, root.relativize(file).toString());
        digest.update(Files.readAllBytes(file));
      }
      return "classes-" + HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    } catch (IOException e) {
      throw unreadable(root.resolve(FOLDER), e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private void compile(Path target) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new UsageError(
          "program.no-compiler",
          "The Java of this command has no compiler, so it cannot build %s. Build it%s."
              .formatted(root, ProgramPom.advice(root)));
    }
    var found = new DiagnosticCollector<JavaFileObject>();
    try {
      Files.createDirectories(target.getParent());
      var fresh = Files.createTempDirectory(target.getParent(), "new-");
      try (var manager = compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
        var options = List.of("-d", fresh.toString(), "-cp", classPath(), "-proc:none");
        var more = List.of("-parameters", "-encoding", "UTF-8", "-Xlint:none", "-g");
        var all = new ArrayList<>(options);
        all.addAll(more);
        var units = manager.getJavaFileObjectsFromPaths(files);
        boolean isDone = compiler.getTask(null, manager, found, all, null, units).call();
        if (!isDone) throw failed(found.getDiagnostics());
        move(fresh, target);
      } finally {
        delete(fresh);
      }
    } catch (IOException e) {
      throw new UsageError(
          "program.cannot-write",
          "The classes of %s cannot be written to %s%s. Make it writable, or build it elsewhere."
              .formatted(root, target.getParent(), TextFile.why(e)),
          e);
    }
  }

  /// Another process may have come first, with the same classes.
  private static void move(Path fresh, Path target) throws IOException {
    try {
      Files.move(fresh, target, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException | FileAlreadyExistsException e) {
      if (!Files.isDirectory(target)) throw e;
    } catch (java.nio.file.FileSystemException e) {
      if (!Files.isDirectory(target)) throw e;
    }
  }

  private static String classPath() {
    var paths = new ArrayList<String>();
    for (var name : List.of("java.class.path", "jdk.module.path")) {
      var path = System.getProperty(name, "");
      if (!path.isEmpty()) paths.add(path);
    }
    return String.join(File.pathSeparator, paths);
  }

  private CompileFailed failed(List<Diagnostic<? extends JavaFileObject>> found) {
    var errors = found.stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR).toList();
    var lines = errors.stream().limit(ERRORS_MAX).map(this::line).collect(Collectors.joining("\n"));
    int count = errors.size();
    int more = count - ERRORS_MAX;
    return new CompileFailed(
        "The program in %s has %s:\n%s%s"
            .formatted(
                root,
                count == 1 ? "an error" : count + " errors",
                lines,
                more > 0 ? "\n  and " + more + " more" : ""));
  }

  private String line(Diagnostic<? extends JavaFileObject> error) {
    var source = error.getSource();
    var text = String.valueOf(error.getMessage(java.util.Locale.ROOT)).replace("\n", "\n    ");
    if (source == null) return "  " + text;
    var file = root.relativize(Path.of(source.toUri()));
    return "  " + file + ":" + error.getLineNumber() + ": " + text;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (var all = Files.walk(folder)) {
      for (var file : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private static UsageError unreadable(Path path, IOException e) {
    return new UsageError(
        "program.unreadable", "Path " + path + " cannot be read" + TextFile.why(e) + ".", e);
  }
}
