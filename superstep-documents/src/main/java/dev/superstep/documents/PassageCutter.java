package dev.superstep.documents;

import dev.superstep.model.TokenCounter;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cuts blocks into passages that have at most so many tokens. Immutable.
///
/// @param overlap the tokens that parts of running text leave room for
record PassageCutter(TokenCounter counter, long max, long overlap) {
  private static final int CHARACTERS_PER_TOKEN = 3;
  private static final int CHARACTERS_LEAST = 4;

  /// The parts of a block; the block itself if it fits.
  List<Passage> cut(Block block) {
    if (counter.count(block.text()) <= max) return List.of(Passage.of(block));
    return switch (block) {
      case Block.Table table -> rows(table);
      case Block.Paragraph _ when overlap > 0 -> parts(Passage.of(block), max - overlap - 1);
      default -> parts(Passage.of(block), max);
    };
  }

  /// The end of a passage of running text, from the start of a word.
  Optional<Passage> tail(Passage passage) {
    if (overlap == 0 || !(passage.block() instanceof Block.Paragraph)) return Optional.empty();
    var text = passage.text();
    int from = (int) Math.max(0, text.length() - overlap * CHARACTERS_PER_TOKEN);
    while (from < text.length()) {
      int start = from == 0 ? 0 : wordStart(text, from);
      if (start >= text.length()) return Optional.empty();
      if (counter.count(text.substring(start)) <= overlap) {
        return Optional.of(passage.part(start, text.length()));
      }
      from = start + Math.max(1, (text.length() - start) / 2);
    }
    return Optional.empty();
  }

  private static int wordStart(String text, int from) {
    int at = from;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at - 1))) at++;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at;
  }

  private List<Passage> rows(Block.Table table) {
    var header =
        String.join(
            "\n",
            table.rows().subList(0, table.headerRows()).stream().map(Block.Row::text).toList());
    boolean isRepeated = !header.isEmpty() && counter.count(header) <= max / 2;
    var prefix = isRepeated ? header : "";
    long room = max - (isRepeated ? counter.count(header + "\n") : 0);
    var rows =
        isRepeated ? table.rows().subList(table.headerRows(), table.rows().size()) : table.rows();
    var passages = new ArrayList<Passage>();
    var open = new ArrayList<Block.Row>();
    for (var row : rows) {
      if (counter.count(row.text()) > room) {
        close(table, prefix, open, passages);
        passages.addAll(parts(group(table, prefix, List.of(row)), room));
        continue;
      }
      open.add(row);
      if (counter.count(text(open)) > room) {
        open.removeLast();
        close(table, prefix, open, passages);
        open.add(row);
      }
    }
    close(table, prefix, open, passages);
    return passages;
  }

  private static void close(
      Block.Table table, String prefix, List<Block.Row> open, List<Passage> passages) {
    if (!open.isEmpty()) passages.add(group(table, prefix, open));
    open.clear();
  }

  private static Passage group(Block.Table table, String prefix, List<Block.Row> rows) {
    var first = rows.getFirst().place();
    var last = rows.getLast().place();
    Optional<Lines> lines = Optional.empty();
    if (first.lines().isPresent() && last.lines().isPresent()) {
      int from = first.lines().get().first();
      lines = Optional.of(new Lines(from, Math.max(from, last.lines().get().last())));
    }
    return new Passage(table, prefix, text(rows), lines, first.start(), last.end());
  }

  private static String text(List<Block.Row> rows) {
    return String.join("\n", rows.stream().map(Block.Row::text).toList());
  }

  private List<Passage> parts(Passage passage, long room) {
    int characters = Math.clamp(room * CHARACTERS_PER_TOKEN, CHARACTERS_LEAST, 1_000_000);
    var parts = new ArrayList<Passage>();
    addParts(passage, characters, room, parts);
    return parts;
  }

  /// Halves the length until each part fits; a part of a few characters is not cut further.
  private void addParts(Passage passage, int characters, long room, List<Passage> parts) {
    var text = Document.of("block", passage.text());
    for (var piece : Splitter.text(characters, 0).split(text)) {
      var part = passage.part(piece.provenance().start(), piece.provenance().end());
      boolean fits = counter.count(part.text().strip()) <= room;
      if (fits || characters <= CHARACTERS_LEAST) parts.add(part);
      else addParts(part, Math.max(CHARACTERS_LEAST, characters / 2), room, parts);
    }
  }
}
