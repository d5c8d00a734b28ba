package dev.superstep.cli.view;

import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.graph.RunOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The command's own data about a thread, stored with it so that another process can resume the
/// thread. Immutable.
///
/// @param program the program's folder, or a file of text
/// @param model the URL of the model; of a text, the names of its models with their URLs
/// @param source see [OpenModel#source]
/// @param text the graph as text, if the program is one
public record RunManifest(
    Path program, Path input, Path output, String model, String source, Optional<TextGraph> text) {
  /// The graph that a thread runs, and the identity of its text.
  public record TextGraph(String graph, String hash) {}

  private static final String MODEL_LABEL = "model";
  private static final String SOURCE_LABEL = "source";

  /// The labels of events, which hold nothing that was said.
  static final Set<String> LABELS = Set.of(MODEL_LABEL, SOURCE_LABEL);

  private static final String PROGRAM = "superstep.program";
  private static final String INPUT = "superstep.input";
  private static final String OUTPUT = "superstep.output";
  private static final String MODEL = "superstep.model";
  private static final String SOURCE = "superstep.source";
  private static final String GRAPH = "superstep.graph";
  private static final String HASH = "superstep.blueprint";

  /// Reads what [#addTo] wrote.
  ///
  /// @throws UsageError if another program began the thread
  public static RunManifest of(String thread, Map<String, String> metadata) {
    if (!metadata.keySet().containsAll(Set.of(PROGRAM, INPUT, OUTPUT, MODEL, SOURCE))) {
      throw new UsageError(
          "thread.not-ours",
          "Thread `%s` was not begun by this command, but by a program of its own. Resume it there."
              .formatted(thread));
    }
    return new RunManifest(
        Path.of(get(metadata, PROGRAM)),
        Path.of(get(metadata, INPUT)),
        Path.of(get(metadata, OUTPUT)),
        get(metadata, MODEL),
        get(metadata, SOURCE),
        Optional.ofNullable(metadata.get(GRAPH))
            .map(graph -> new TextGraph(graph, get(metadata, HASH))));
  }

  /// Returns true if the program's recording, or its replies written by hand, answer in place of
  /// the model.
  public boolean isReplaced() {
    boolean isRecorded = source.equals(OpenModel.RECORDED) && !model.startsWith("recorded://");
    return text.isEmpty() && (isRecorded || source.equals(OpenModel.WRITTEN));
  }

  /// Returns a copy with another model.
  public RunManifest withModel(OpenModel other) {
    return new RunManifest(program, input, output, other.named().url(), other.source(), text);
  }

  /// Returns a copy with another output folder.
  public RunManifest withOutput(Path folder) {
    return new RunManifest(program, input, folder, model, source, text);
  }

  /// Returns options that store this manifest and label every event with the model.
  public RunOptions addTo(RunOptions options) {
    var all =
        text.map(own -> options.metadata(GRAPH, own.graph()).metadata(HASH, own.hash()))
            .orElse(options);
    return all.metadata(PROGRAM, program.toString())
        .metadata(INPUT, input.toString())
        .metadata(OUTPUT, output.toString())
        .metadata(MODEL, model)
        .metadata(SOURCE, source)
        .label(MODEL_LABEL, model)
        .label(SOURCE_LABEL, source);
  }

  /// Returns the metadata that all threads of a program have.
  public static Map.Entry<String, String> mark(Path program) {
    return Map.entry(PROGRAM, program.toString());
  }

  private static String get(Map<String, String> metadata, String key) {
    return metadata.getOrDefault(key, "");
  }
}
