package dev.superstep.cli.model;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.language.Suggestion;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.RecordedModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.local.KnownModel;
import dev.superstep.model.local.LocalModels;
import dev.superstep.model.vendor.VendorModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Opens models. Each branch loads only the classes of its kind of model.
public final class ModelOpener {
  private final Host host;
  private final ClassLoader loader;

  public ModelOpener(Host host) {
    this(host, ModelOpener.class.getClassLoader());
  }

  /// @param loader finds adapters for schemes that this command does not bring
  public ModelOpener(Host host, ClassLoader loader) {
    this.host = host;
    this.loader = loader;
  }

  /// Opens the chosen model. Only the default model may be replaced by a recording, and only for
  /// the recorded input.
  ///
  /// @throws ModelException if it cannot be had
  public OpenModel open(ModelChoice choice, ProgramFolder folder, Path input) {
    boolean isDefault = choice.from() == ModelChoice.From.STANDARD;
    if (!isDefault || locals().find(choice.ref().model()).isPresent()) return open(choice.ref());
    return recorded(folder, input)
        .or(() -> written(folder))
        .orElseThrow(() ->
            new ModelException(
                ModelException.Kind.UNAVAILABLE, noModel(choice.ref(), folder.recording())));
  }

  /// Opens the recording, or the replies written by hand, that a thread began with.
  ///
  /// @param source see [OpenModel#source]
  public OpenModel replacedBefore(String source, ProgramFolder folder, Path input) {
    if (source.equals(OpenModel.WRITTEN)) {
      return written(folder)
          .orElseThrow(() ->
              new ModelException(
                  ModelException.Kind.UNAVAILABLE,
                  "The thread began with replies written by hand, and %s names none any more. Name a model with --model."
                      .formatted(folder.root().resolve(ProgramFolder.FILE))));
    }
    return recorded(folder, input)
        .orElseThrow(() ->
            new ModelException(
                ModelException.Kind.UNAVAILABLE,
                "The thread began with recorded replies, and %s names none for %s any more. Name a model with --model."
                    .formatted(folder.root().resolve(ProgramFolder.FILE), input)));
  }

  /// Opens a model that the user or a folder names.
  ///
  /// @throws ModelException if it cannot be had
  public OpenModel open(ModelChoice choice) {
    boolean isHere =
        choice.from() != ModelChoice.From.STANDARD
            || locals().find(choice.ref().model()).isPresent();
    if (isHere) return open(choice.ref());
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE, noModel(choice.ref(), Optional.empty()));
  }

  private OpenModel open(ModelRef ref) {
    return switch (ref.provider()) {
      case "local" -> {
        boolean isKnown = isFile(ref) || locals().known(ref.model()).isPresent();
        if (!isKnown) throw unknown(locals(), ref.model());
        yield live(locals().open(ref));
      }
      case "scripted" ->
          new OpenModel(ScriptedModel.open(host.path(ref.model())), ref, OpenModel.SCRIPTED);
      case "recorded" -> {
        var model = RecordedModel.open(host.path(ref.model()));
        yield new OpenModel(model, ref, OpenModel.RECORDED);
      }
      default -> live(hosted(ref, name -> Optional.ofNullable(host.variables().get(name))));
    };
  }

  private ChatModel hosted(ModelRef ref, Environment environment) {
    return VendorModels.PROVIDERS.contains(ref.provider())
        ? VendorModels.open(ref, environment)
        : ModelProviders.open(ref, environment, loader);
  }

  /// An error about a local model that nobody knows, with the name that was probably meant.
  public static UsageError unknown(LocalModels locals, String name) {
    var names = locals.known().stream().map(KnownModel::name).toList();
    var meant = Suggestion.nearest(name, names).map(near -> " Did you mean `" + near + "`?");
    return new UsageError(
        "model.unknown",
        "There is no local model `%s`.%s Known: %s; or give the path of a file that ends in `.gguf`."
            .formatted(name, meant.orElse(""), String.join(", ", names)));
  }

  /// Returns the cache of weights.
  public LocalModels locals() {
    return host.variable("SUPERSTEP_CACHE")
        .map(host::path)
        .map(LocalModels::inCache)
        .orElseGet(LocalModels::inDefaultCache);
  }

  /// Returns true if a URL names a file of the user.
  public static boolean isFile(ModelRef ref) {
    return switch (ref.provider()) {
      case "scripted", "recorded" -> true;
      case "local" -> ref.model().endsWith(".gguf");
      default -> false;
    };
  }

  /// Returns a model for showing a graph without running it.
  public static ChatModel none() {
    return none(new ModelRef("scripted", "none"), "A graph is only shown here, not run.");
  }

  /// Returns a model that answers nothing.
  public static ChatModel none(ModelRef ref, String why) {
    return new ChatModel() {
      @Override
      public ModelRef ref() {
        return ref;
      }

      @Override
      public ChatReply call(ChatRequest request) {
        throw new ModelException(
            ModelException.Kind.UNAVAILABLE, "Model " + ref + " is not asked here. " + why);
      }
    };
  }

  private static OpenModel live(ChatModel model) {
    return new OpenModel(model, model.ref(), OpenModel.LIVE);
  }

  private static Optional<OpenModel> recorded(ProgramFolder folder, Path input) {
    var recording = folder.recording().filter(known -> isSame(known.input(), input));
    return recording.map(known -> {
      var model = RecordedModel.open(known.replies());
      return new OpenModel(model, model.recorded(), OpenModel.RECORDED);
    });
  }

  private static Optional<OpenModel> written(ProgramFolder folder) {
    return folder
        .replies()
        .map(file -> {
          var name = new ModelRef("scripted", folder.root().relativize(file).toString());
          return new OpenModel(ScriptedModel.open(file), name, OpenModel.WRITTEN);
        });
  }

  private static boolean isSame(Path one, Path other) {
    // A question that was typed is no file.
    if (other.toString().isEmpty()) return false;
    try {
      return Files.isSameFile(one, other);
    } catch (IOException _) {
      return false;
    }
  }

  private String noModel(ModelRef ref, Optional<ProgramFolder.Recorded> recording) {
    return "No model: the weights of `"
        + ref
        + "` are not in "
        + locals().directory()
        + recording.map(r -> ", and the recorded replies are only for " + r.input()).orElse("")
        + ". Get one of: "
        + ways(ref)
        + ".";
  }

  /// The three ways to get a model, in one sentence without its end.
  public String ways(ModelRef ref) {
    return "(1) the local one: "
        + host.command()
        + " models pull "
        + ref.model()
        + "; (2) a vendor's: set its key and name it, such as OPENAI_API_KEY and --model"
        + " openai://gpt-5.2; (3) a local server's, such as Ollama: --model"
        + " ollama://localhost:11434/qwen3:8b";
  }
}
