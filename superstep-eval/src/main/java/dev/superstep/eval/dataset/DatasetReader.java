package dev.superstep.eval.dataset;

import dev.superstep.eval.dataset.MalformedDataset.BrokenLine;
import dev.superstep.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads the lines of datasets and collects what is wrong with them. One thread at a time.
final class DatasetReader {
  private static final long BYTES_MAX = 256L * 1024 * 1024;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final boolean isLabelled;
  private final List<Case> cases = new ArrayList<>();
  private final List<Labelled> labelled = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private final List<BrokenLine> broken = new ArrayList<>();

  private DatasetReader(boolean isLabelled) {
    this.isLabelled = isLabelled;
  }

  static DatasetReader ofCases() {
    return new DatasetReader(false);
  }

  static DatasetReader ofLabelled() {
    return new DatasetReader(true);
  }

  void read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        broken.add(new BrokenLine(file.toString(), 1, "the file has more than 256 MiB"));
        return;
      }
      read(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
    } catch (MalformedInputException _) {
      broken.add(new BrokenLine(file.toString(), 1, "the file is not UTF-8"));
    } catch (IOException e) {
      throw new UncheckedIOException("Dataset " + file + " cannot be read.", e);
    }
  }

  void read(String source, String text) {
    var lines = text.split("\r?\n", -1);
    for (int i = 0; i < lines.length; i++) {
      var line = lines[i].strip();
      if (line.isEmpty() || line.startsWith("#")) continue;
      try {
        add(source, i + 1, JSON.readTree(line));
      } catch (JacksonException e) {
        broken.add(new BrokenLine(source, i + 1, "not a JSON object: " + why(e)));
      } catch (CaseFields.BadLine e) {
        broken.add(new BrokenLine(source, i + 1, String.valueOf(e.getMessage())));
      }
    }
  }

  private void add(String source, int line, JsonNode read) throws CaseFields.BadLine {
    var label = isLabelled && read instanceof ObjectNode object ? Label.takenFrom(object) : null;
    var item = CaseFields.read(read);
    var before = places.putIfAbsent(item.id(), source + ":" + line);
    if (before != null) {
      throw new CaseFields.BadLine(
          "id `" + CaseFields.shown(item.id()) + "` was used before, at " + before);
    }
    cases.add(item);
    if (label != null) labelled.add(new Labelled(item, label.output(), label.passed()));
  }

  /// The fields of an example that a case does not have.
  private record Label(Json output, boolean passed) {
    static Label takenFrom(ObjectNode line) throws CaseFields.BadLine {
      var output = line.remove("output");
      var passed = line.remove("passed");
      if (output == null) throw new CaseFields.BadLine("field `output` is missing");
      if (passed == null || !passed.isBoolean()) {
        throw new CaseFields.BadLine("field `passed` must be true or false");
      }
      return new Label(Json.unchecked(output.toString()), passed.booleanValue());
    }
  }

  private static String why(JacksonException e) {
    var at = e.getLocation();
    var why = CaseFields.shown(String.valueOf(e.getOriginalMessage()));
    return at == null ? why : why + " (column " + at.getColumnNr() + ")";
  }

  Dataset dataset() {
    check();
    return new Dataset(cases);
  }

  List<Labelled> labelled() {
    check();
    return List.copyOf(labelled);
  }

  private void check() {
    if (!broken.isEmpty()) throw new MalformedDataset(broken);
  }

  static void checkUnique(List<Case> cases) {
    var places = new HashMap<String, Integer>();
    var broken = new ArrayList<BrokenLine>();
    for (int i = 0; i < cases.size(); i++) {
      var before = places.putIfAbsent(cases.get(i).id(), i + 1);
      if (before != null) {
        var why = "id `" + CaseFields.shown(cases.get(i).id()) + "` is that of case " + before;
        broken.add(new BrokenLine("case", i + 1, why));
      }
    }
    if (cases.size() > Dataset.CASES_MAX) {
      broken.add(new BrokenLine("case", cases.size(), "there are more than 100,000 cases"));
    }
    if (!broken.isEmpty()) throw new MalformedDataset(broken);
  }
}
