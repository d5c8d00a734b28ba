package dev.superstep.eval.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The cases that an agent is measured by, with ids that are unique. Immutable.
///
/// A file of a dataset is JSONL: a JSON object in each line, with `id`, `input`, and optionally
/// `expected`, `tools`, `tags`, `metadata`, `answers` and `ending`, as [Case] has them. Empty
/// lines, and lines that begin with `#`, are skipped.
///
/// @param cases in their order
public record Dataset(List<Case> cases) {
  /// The most cases of a dataset.
  public static final int CASES_MAX = 100_000;

  /// @throws MalformedDataset if two cases have one id, or there are too many
  public Dataset {
    cases = List.copyOf(cases);
    DatasetReader.checkUnique(cases);
  }

  /// These cases.
  public static Dataset of(Case... cases) {
    return new Dataset(List.of(cases));
  }

  /// Reads files, in their order, as one dataset.
  ///
  /// @throws MalformedDataset if a line is broken or an id occurs twice, with all such lines
  /// @throws UncheckedIOException if a file cannot be read
  public static Dataset read(Path... files) {
    var reader = DatasetReader.ofCases();
    for (var file : files) reader.read(file);
    return reader.dataset();
  }

  /// Reads a text.
  ///
  /// @throws MalformedDataset if a line is broken or an id occurs twice, with all such lines
  public static Dataset parse(String text) {
    var reader = DatasetReader.ofCases();
    reader.read("dataset", text);
    return reader.dataset();
  }

  /// Returns a dataset of those cases that meet a condition.
  public Dataset only(Predicate<Case> condition) {
    return new Dataset(cases.stream().filter(condition).toList());
  }

  /// The case with an id, or empty.
  public Optional<Case> find(String id) {
    return cases.stream().filter(one -> one.id().equals(id)).findFirst();
  }

  /// The digest of everything that results depend on: the cases without their metadata, in order.
  public String digest() {
    return Digests.of(cases.stream().map(Case::digest).collect(Collectors.joining("\n")));
  }

  /// The lines of a file of this dataset.
  public String text() {
    return cases.stream().map(one -> CaseFields.of(one, true) + "\n").collect(Collectors.joining());
  }

  /// Adds a case at the end of a file, which is created if need be.
  ///
  /// @throws MalformedDataset if the file is broken, or has a case with this id
  /// @throws UncheckedIOException if the file cannot be written
  public static void append(Path file, Case added) {
    try {
      var before = Files.exists(file) ? read(file).cases() : List.<Case>of();
      var _ = new Dataset(Stream.concat(before.stream(), Stream.of(added)).toList());
      boolean isOpen = Files.exists(file) && !endsWithNewline(file);
      Files.writeString(
          file,
          (isOpen ? "\n" : "") + CaseFields.of(added, true) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("Dataset " + file + " cannot be written.", e);
    }
  }

  private static boolean endsWithNewline(Path file) throws IOException {
    var text = Files.readString(file, StandardCharsets.UTF_8);
    return text.isEmpty() || text.endsWith("\n");
  }
}
