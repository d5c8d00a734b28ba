package dev.superstep.eval.dataset;

import dev.superstep.json.Json;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/// An example that a person has judged, to measure a judge by. Immutable.
///
/// A file of examples is JSONL like that of a [Dataset], with two more fields in each line:
/// `output`, which is what was judged, and `passed`, the person's verdict.
///
/// @param item the case, with an id that is unique among the examples
/// @param output the output that was judged
/// @param passed the person's verdict
public record Labelled(Case item, Json output, boolean passed) {
  /// Reads files, in their order.
  ///
  /// @throws MalformedDataset if a line is broken or an id occurs twice, with all such lines
  /// @throws UncheckedIOException if a file cannot be read
  public static List<Labelled> read(Path... files) {
    var reader = DatasetReader.ofLabelled();
    for (var file : files) reader.read(file);
    return reader.labelled();
  }
}
