package dev.superstep.testkit.junit;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.file.PrivateFiles;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;
import dev.superstep.model.RecordedModel;
import dev.superstep.model.RecordingModel;
import dev.superstep.testkit.CountingIds;
import dev.superstep.testkit.EventRecorder;
import dev.superstep.testkit.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives tests the parameters for running programs, fresh for each test: [RunOptions] of a saved
/// thread with a [ManualClock], [CountingIds] and an [EventRecorder], each of these and the
/// [InMemoryCheckpointer] by itself, and the recordings of models and tools ([Cassette]).
///
/// ```java
/// @ExtendWith(SuperstepExtension.class)
/// class TriageTest {
///   @Test
///   void spam_is_found(RunOptions options, @Cassette("triage") ChatModel model) {
/// ```
///
/// Cassettes are replayed, and a test fails that asks what its cassette does not know, even if the
/// program gets over it. They are recorded with `-Dsuperstep.cassettes=record` and the URL of the
/// model, `-Dsuperstep.cassettes.model=openai://gpt-5.2`; who records says how models are opened:
///
/// ```java
/// @RegisterExtension
/// static final SuperstepExtension superstep = SuperstepExtension.opening(VendorModels::open);
/// ```
///
/// A cassette is continued; delete its file to record all of it again. Immutable.
public final class SuperstepExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace OURS = Namespace.create(SuperstepExtension.class);
  private static final String MODE = "superstep.cassettes";
  private static final String MODEL = "superstep.cassettes.model";
  private static final String FOLDER = "superstep.cassettes.folder";
  private static final Set<Class<?>> GIVEN =
      Set.of(
          RunOptions.class,
          ManualClock.class,
          CountingIds.class,
          EventRecorder.class,
          InMemoryCheckpointer.class);

  private final @Nullable Function<ModelRef, ChatModel> opener;

  /// For tests that only replay.
  public SuperstepExtension() {
    this(null);
  }

  private SuperstepExtension(@Nullable Function<ModelRef, ChatModel> opener) {
    this.opener = opener;
  }

  /// For tests that may be recorded.
  ///
  /// @param opener opens the model to record; called only while recording
  public static SuperstepExtension opening(Function<ModelRef, ChatModel> opener) {
    return new SuperstepExtension(opener);
  }

  /// The objects that one test gets.
  private record Kit(
      ManualClock clock,
      CountingIds ids,
      EventRecorder recorder,
      InMemoryCheckpointer checkpoints,
      List<CassetteModel> models,
      List<ToolCassette> tools) {
    static Kit fresh() {
      return new Kit(
          ManualClock.at("2026-01-01T00:00:00Z"),
          new CountingIds(),
          new EventRecorder(),
          new InMemoryCheckpointer(InstantSource.system(), true),
          new ArrayList<>(),
          new ArrayList<>());
    }

    RunOptions options() {
      return RunOptions.thread("test")
          .checkpoints(checkpoints)
          .clock(clock)
          .ids(ids)
          .listener(recorder);
    }

    List<String> misses() {
      var all = new ArrayList<String>();
      for (var model : models) all.addAll(model.misses());
      for (var tool : tools) all.addAll(tool.misses());
      return all;
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    boolean isCassette = type == ChatModel.class || type == ToolCassette.class;
    // What is made before all tests would be shared by them.
    if (context.getTestMethod().isEmpty()) return false;
    return GIVEN.contains(type) || (isCassette && parameter.isAnnotated(Cassette.class));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var kit = kit(context);
    var type = parameter.getParameter().getType();
    if (type == ManualClock.class) return kit.clock();
    if (type == CountingIds.class) return kit.ids();
    if (type == EventRecorder.class) return kit.recorder();
    if (type == InMemoryCheckpointer.class) return kit.checkpoints();
    if (type == RunOptions.class) return kit.options();
    var name = parameter.findAnnotation(Cassette.class).orElseThrow().value();
    return type == ChatModel.class ? model(name, kit, context) : tools(name, kit, context);
  }

  /// Fails a test that asked what was not recorded.
  @Override
  public void afterTestExecution(ExtensionContext context) {
    var misses = kit(context).misses();
    if (misses.isEmpty()) return;
    throw new AssertionError(
        "%s%nThis was asked for and is not in a cassette. %s"
            .formatted(String.join(System.lineSeparator(), misses), howTo()));
  }

  private static Kit kit(ExtensionContext context) {
    var store = context.getStore(OURS);
    return store.computeIfAbsent(context.getUniqueId(), _ -> Kit.fresh(), Kit.class);
  }

  private ChatModel model(String name, Kit kit, ExtensionContext context) {
    var file = file(name + ".jsonl", context);
    if (isRecording(context)) return recording(file, context);
    if (Files.notExists(file)) {
      throw new ParameterResolutionException(
          "There is no cassette `%s` at %s. %s".formatted(name, file, howTo()));
    }
    var model = new CassetteModel(RecordedModel.open(file));
    kit.models().add(model);
    return model;
  }

  private static ToolCassette tools(String name, Kit kit, ExtensionContext context) {
    var file = file(name + ".tools.jsonl", context);
    if (isRecording(context)) return ToolCassette.recording(file);
    if (Files.notExists(file)) {
      throw new ParameterResolutionException(
          "There is no tool cassette `%s` at %s. %s".formatted(name, file, howTo()));
    }
    var cassette = ToolCassette.replaying(file);
    kit.tools().add(cassette);
    return cassette;
  }

  /// Opens a model for all tests, which may share a cassette; it is closed after the last one.
  private ChatModel recording(Path file, ExtensionContext context) {
    var url =
        context
            .getConfigurationParameter(MODEL)
            .orElseThrow(() ->
                new ParameterResolutionException(
                    "Cassettes are to be recorded, but nobody says of which model. Set -D"
                        + MODEL
                        + " to its URL."));
    if (opener == null) {
      throw new ParameterResolutionException(
          "Cassettes are to be recorded, but nobody says how models are opened. Register the"
              + " extension by `@RegisterExtension static final SuperstepExtension superstep ="
              + " SuperstepExtension.opening(...)`.");
    }
    var open = opener;
    Store all = context.getRoot().getStore(OURS);
    return all.computeIfAbsent(
        file,
        _ -> {
          createFolder(file);
          var model = open.apply(ModelRef.parse(url));
          return RecordingModel.open(file, model, "a cassette of tests", InstantSource.system());
        },
        RecordingModel.class);
  }

  private static void createFolder(Path file) {
    try {
      PrivateFiles.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String name, ExtensionContext context) {
    var folder = context.getConfigurationParameter(FOLDER).orElse("src/test/resources/cassettes");
    return Path.of(folder).resolve(name);
  }

  private static boolean isRecording(ExtensionContext context) {
    var mode = context.getConfigurationParameter(MODE).orElse("replay");
    return switch (mode) {
      case "record" -> true;
      case "replay" -> false;
      default ->
          throw new ParameterResolutionException(
              "%s must be `record` or `replay`, was `%s`.".formatted(MODE, mode));
    };
  }

  private static String howTo() {
    return "Record it with -D" + MODE + "=record -D" + MODEL + "=<url>.";
  }
}
