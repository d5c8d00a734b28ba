package dev.superstep.model.local;

import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The local models that Superstep knows by name, and the directory where their weights are.
///
/// ```java
/// var models = LocalModels.inDefaultCache();
/// try (var model = models.open(ModelRef.parse("local://gemma3-270m"))) { … }
/// ```
///
/// Immutable.
public final class LocalModels {
  private final Path directory;
  private final List<KnownModel> catalog;

  private LocalModels(Path directory, List<KnownModel> catalog) {
    this.directory = directory;
    this.catalog = List.copyOf(catalog);
  }

  /// The models in this directory, which need not exist yet.
  public static LocalModels inCache(Path directory) {
    return new LocalModels(directory, List.of(KnownModel.GEMMA3_270M));
  }

  /// The models in `$SUPERSTEP_CACHE`, or else in `superstep/models` of the user's cache directory.
  public static LocalModels inDefaultCache() {
    return inCache(
        defaultCache(
            System::getenv,
            System.getProperty("os.name", ""),
            System.getProperty("user.home", "")));
  }

  /// For tests, which have models of their own.
  static LocalModels of(Path directory, List<KnownModel> catalog) {
    return new LocalModels(directory, catalog);
  }

  static Path defaultCache(EnvironmentVariables variables, String system, String home) {
    var own = variables.get("SUPERSTEP_CACHE");
    if (own != null && !own.isBlank()) return Path.of(own);
    var xdg = variables.get("XDG_CACHE_HOME");
    if (xdg != null && !xdg.isBlank()) return Path.of(xdg, "superstep", "models");
    var caches = system.startsWith("Mac") ? Path.of("Library", "Caches") : Path.of(".cache");
    return Path.of(home).resolve(caches).resolve("superstep").resolve("models");
  }

  @FunctionalInterface
  interface EnvironmentVariables {
    @Nullable String get(String name);
  }

  /// Every model that has a name.
  public List<KnownModel> known() {
    return catalog;
  }

  /// The model of that name.
  public Optional<KnownModel> known(String name) {
    return catalog.stream().filter(model -> model.name().equals(name)).findFirst();
  }

  /// Where the weights are.
  public Path directory() {
    return directory;
  }

  /// The weights of a known model, if they are here and whole. They are hashed once; later calls
  /// only look at size and time.
  public Optional<Path> find(String name) {
    return known(name).flatMap(this::find);
  }

  private Optional<Path> find(KnownModel model) {
    var file = directory.resolve(model.fileName());
    try {
      if (!Files.isRegularFile(file) || Files.size(file) != model.bytes()) return Optional.empty();
      if (VerificationMark.isMarked(file, model.sha256())) return Optional.of(file);
      if (!VerificationMark.hash(file).equals(model.sha256())) return Optional.empty();
      VerificationMark.mark(file, model.sha256());
      return Optional.of(file);
    } catch (IOException e) {
      throw new ModelException(
          Kind.UNAVAILABLE,
          "The weights in " + file + " cannot be read: " + e.getMessage() + ".",
          null,
          e);
    }
  }

  /// The GGUF file that a URL names: a known model, or a path such as `local:///data/m.gguf`.
  ///
  /// @throws ModelException of kind UNAVAILABLE that says how to get the weights
  public Path locate(ModelRef ref) {
    if (known(ref.model()).isPresent()) {
      return find(ref.model()).orElseThrow(() -> notPulled(ref));
    }
    if (!ref.model().endsWith(".gguf")) throw unknown(ref);
    try {
      return Path.of(ref.model());
    } catch (InvalidPathException e) {
      throw new ModelException(
          Kind.BAD_URL, "`" + ref + "` names no file: " + e.getReason() + ".", null, e);
    }
  }

  /// Opens the model that a URL names. Nothing is loaded before the first call.
  ///
  /// @throws ModelException of kind UNAVAILABLE that says how to get the weights
  public LocalModel open(ModelRef ref) {
    return LocalModel.open(ref, locate(ref));
  }

  private ModelException notPulled(ModelRef ref) {
    return new ModelException(
        Kind.UNAVAILABLE,
        "The weights of `%s` are not in %s. Run `superstep models pull %s`."
            .formatted(ref, directory, ref.model()));
  }

  private ModelException unknown(ModelRef ref) {
    var names = String.join(", ", catalog.stream().map(KnownModel::name).toList());
    return new ModelException(
        Kind.UNAVAILABLE,
        "There is no local model `%s`. Known: %s; or give the path of a file that ends in `.gguf`."
            .formatted(ref.model(), names));
  }

  @Override
  public String toString() {
    return "LocalModels[" + directory + "]";
  }
}
