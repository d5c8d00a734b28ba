package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.util.ArrayList;
import java.util.List;

/// The matches of a search, as a text for a model that names its sources. Immutable.
///
/// ```text
/// [1] faq.md, lines 4-5, Payment > Refunds
/// Money comes back within a week.
/// ```
public record Passages(List<Match> matches) {
  private static final String NOTHING = "Nothing was found.";

  /// Copies the matches.
  public Passages {
    matches = List.copyOf(matches);
  }

  /// Returns the first matches that fit, each whole, into a [#text] of this length. The least
  /// relevant ones are dropped.
  public Passages within(int characters) {
    var fitting = matches;
    while (!fitting.isEmpty() && new Passages(fitting).text().length() > characters) {
      fitting = fitting.subList(0, fitting.size() - 1);
    }
    return new Passages(fitting);
  }

  /// The passages, each under its number and source.
  public String text() {
    if (matches.isEmpty()) return NOTHING;
    var texts = new ArrayList<String>();
    for (int i = 0; i < matches.size(); i++) texts.add(passage(i + 1, matches.get(i).chunk()));
    return String.join("\n\n", texts);
  }

  private static String passage(int number, Chunk chunk) {
    return "[%d] %s\n%s".formatted(number, SourceLocation.of(chunk).text(), body(chunk));
  }

  /// The text of a chunk without the headings that its place states, too.
  public static String body(Chunk chunk) {
    var text = chunk.text().strip().replace("\r\n", "\n");
    var headings = chunk.metadata().getOrDefault(SourceLocation.HEADINGS, "");
    boolean repeats = !headings.isEmpty() && text.startsWith(headings + "\n");
    return repeats ? text.substring(headings.length()).strip() : text;
  }
}
