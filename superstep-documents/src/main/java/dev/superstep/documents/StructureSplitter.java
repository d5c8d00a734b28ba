package dev.superstep.documents;

import dev.superstep.model.TokenCounter;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cuts documents into chunks by their structure. A chunk has one page and one heading, unless told
/// otherwise, and begins with its headings, so that searches find it by them. Tables and code stay
/// whole where they fit; a table that does not is cut between rows, with its header in each chunk.
/// Immutable; the `with` methods return changed copies.
///
/// ```java
/// var splitter = StructureSplitter.of(300, 30);
/// for (var chunk : splitter.split(document)) print(SourceLocation.of(chunk).text());
/// ```
///
/// The place of each chunk is in its metadata: [SourceLocation#of]. The same document always gives
/// the same chunks with the same ids: the document's id, `#`, and their number.
public final class StructureSplitter {
  private static final int TOKENS_LEAST = 16;
  private static final String ID = "structure 1";

  private final int maxTokens;
  private final int overlapTokens;
  private final boolean isAcrossPages;
  private final boolean isAcrossHeadings;
  private final Counting counting;

  /// @param id names the counter
  private record Counting(String id, TokenCounter counter) {}

  private StructureSplitter(
      int maxTokens,
      int overlapTokens,
      boolean isAcrossPages,
      boolean isAcrossHeadings,
      Counting counting) {
    this.maxTokens = maxTokens;
    this.overlapTokens = overlapTokens;
    this.isAcrossPages = isAcrossPages;
    this.isAcrossHeadings = isAcrossHeadings;
    this.counting = counting;
  }

  /// A splitter that counts tokens approximately.
  ///
  /// @param maxTokens how many tokens a chunk has at most; at least 16
  /// @param overlapTokens how many tokens of the running text before it a chunk repeats at most; at
  ///   most half of `maxTokens`
  public static StructureSplitter of(int maxTokens, int overlapTokens) {
    if (maxTokens < TOKENS_LEAST) {
      throw new IllegalArgumentException(
          "maxTokens must be at least " + TOKENS_LEAST + ", was " + maxTokens);
    }
    if (overlapTokens < 0 || overlapTokens > maxTokens / 2) {
      throw new IllegalArgumentException(
          "overlapTokens must be 0 to half of maxTokens, which is %d, was %d"
              .formatted(maxTokens / 2, overlapTokens));
    }
    var counting = new Counting("approximate", TokenCounter.approximate());
    return new StructureSplitter(maxTokens, overlapTokens, false, false, counting);
  }

  /// Counts tokens by a counter of the embedder.
  ///
  /// @param id names the counter; documents that were cut by another one are indexed again
  public StructureSplitter withCounter(String id, TokenCounter counter) {
    if (id.isBlank()) throw new IllegalArgumentException("id must not be blank");
    return new StructureSplitter(
        maxTokens, overlapTokens, isAcrossPages, isAcrossHeadings, new Counting(id, counter));
  }

  /// Lets a chunk go on over the end of a page.
  public StructureSplitter acrossPages() {
    return new StructureSplitter(maxTokens, overlapTokens, true, isAcrossHeadings, counting);
  }

  /// Lets a chunk have the text under several headings. The headings are part of its text then; its
  /// citation has those of its beginning.
  public StructureSplitter acrossHeadings() {
    return new StructureSplitter(maxTokens, overlapTokens, isAcrossPages, true, counting);
  }

  /// Names the way it cuts. Documents that were cut in another way are indexed again.
  public String id() {
    return "%s %d %d %s%s%s"
        .formatted(
            ID,
            maxTokens,
            overlapTokens,
            counting.id(),
            isAcrossPages ? " across pages" : "",
            isAcrossHeadings ? " across headings" : "");
  }

  /// The chunks of a document, in its order; none if it has no text.
  public List<Chunk> split(StructuredDocument document) {
    var run = new Run(document);
    var blocks = document.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      var next = i + 1 < blocks.size() ? Optional.of(blocks.get(i + 1)) : Optional.<Block>empty();
      run.add(blocks.get(i), next);
    }
    run.flush();
    return List.copyOf(run.chunks);
  }

  /// Cuts one document. One thread.
  private final class Run {
    private final StructuredDocument document;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Passage> open = new ArrayList<>();
    private Optional<Block> first = Optional.empty();

    Run(StructuredDocument document) {
      this.document = document;
    }

    void add(Block block, Optional<Block> next) {
      if (block instanceof Block.PageBreak) return;
      if (block instanceof Block.Heading heading && !isAcrossHeadings) {
        // The headings of what follows have it, unless nothing stands below it.
        if (!covers(heading, next)) {
          flush();
          begin(heading);
          emit(List.of());
          first = Optional.empty();
        }
        return;
      }
      if (first.isPresent() && isCut(first.get(), block)) flush();
      if (first.isEmpty()) begin(block);
      long room = maxTokens - prefixTokens();
      var cutter = new PassageCutter(counting.counter(), room, Math.min(overlapTokens, room / 2));
      for (var passage : cutter.cut(block)) append(passage, cutter);
    }

    private boolean covers(Block.Heading heading, Optional<Block> next) {
      if (next.isEmpty()) return false;
      var path = heading.place().headings();
      var below = next.get().place().headings();
      boolean isBelow = below.size() >= path.size() && below.subList(0, path.size()).equals(path);
      boolean isSibling =
          next.get() instanceof Block.Heading other && other.level() <= heading.level();
      return isBelow && !isSibling;
    }

    private void begin(Block block) {
      first = Optional.of(block);
    }

    private boolean isCut(Block from, Block to) {
      boolean isOtherPage = !from.place().page().equals(to.place().page());
      boolean isOtherHeading = !from.place().headings().equals(to.place().headings());
      if (isOtherPage && !isAcrossPages) return true;
      return isOtherHeading && !isAcrossHeadings;
    }

    private void append(Passage passage, PassageCutter cutter) {
      if (!open.isEmpty() && !fits(passage)) {
        var last = open.getLast();
        emit(open);
        open.clear();
        begin(passage.block());
        cutter.tail(last).ifPresent(open::add);
        if (!open.isEmpty() && !fits(passage)) open.clear();
      }
      open.add(passage);
    }

    private boolean fits(Passage passage) {
      var all = new ArrayList<>(open);
      all.add(passage);
      return counting.counter().count(Passage.text(all)) + prefixTokens() <= maxTokens;
    }

    void flush() {
      if (!open.isEmpty()) emit(open);
      open.clear();
      first = Optional.empty();
    }

    private long prefixTokens() {
      return counting.counter().count(prefix() + "\n");
    }

    /// The headings that the text of a chunk begins with: as many inner ones as half of it can
    /// hold.
    private String prefix() {
      if (isAcrossHeadings || first.isEmpty()) return "";
      var path = first.get().place().headings();
      for (int from = 0; from < path.size(); from++) {
        var prefix = String.join(" > ", path.subList(from, path.size()));
        if (counting.counter().count(prefix) <= maxTokens / 2 - 1) return prefix;
      }
      return "";
    }

    private void emit(List<Passage> passages) {
      var block = first.orElseThrow();
      var prefix = prefix();
      var body = Passage.text(passages);
      if (passages.isEmpty() && prefix.isEmpty()) return;
      var text = prefix.isEmpty() ? body : body.isEmpty() ? prefix : prefix + "\n" + body;
      if (text.isBlank()) return;
      var extent = Passage.extent(passages, block);
      var headings = String.join(" > ", block.place().headings());
      var citation =
          new SourceLocation(
              document.source(), document.title(), extent.pages(), extent.lines(), headings);
      var provenance =
          new Chunk.Provenance(document.id(), document.source(), extent.start(), extent.end());
      chunks.add(
          new Chunk(document.id() + "#" + chunks.size(), text, citation.metadata(), provenance));
    }
  }

  @Override
  public String toString() {
    return "StructureSplitter[" + id() + "]";
  }
}
