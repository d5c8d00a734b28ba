package dev.superstep.retrieval.citation;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.retrieval.Match;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The chunks that were retrieved for an answer, and so the only ones that it can cite. Immutable.
///
/// ```java
/// var result = agent.run("How do I get my money back?");
/// var sources = CitableSources.in(result.report().conversation());
/// System.out.println(sources.check(result.answer()).text());
/// ```
///
/// @param citableSources in the order in which they were retrieved, no two with the same label
public record CitableSources(List<CitableSource> citableSources) {
  /// No sources.
  public static final CitableSources NONE = new CitableSources(List.of());

  private static final String FORM = "{\"citableSources\":";

  /// Leaves out repeated labels.
  public CitableSources {
    var distinct = new LinkedHashMap<String, CitableSource>();
    for (var source : citableSources) distinct.putIfAbsent(source.label(), source);
    citableSources = List.copyOf(distinct.values());
  }

  /// The sources of a search, under the numbers that [dev.superstep.retrieval.Passages] gives them:
  /// for a prompt of your own.
  public static CitableSources numbered(List<Match> matches) {
    var sources = new ArrayList<CitableSource>();
    for (var match : matches) {
      var source = CitableSource.of(match.chunk());
      var number = String.valueOf(sources.size() + 1);
      sources.add(new CitableSource(number, source.chunk(), source.citation()));
    }
    return new CitableSources(sources);
  }

  /// The sources that the tools of [CitationTool] found in a conversation.
  public static CitableSources in(List<? extends Message> conversation) {
    var all = NONE;
    for (var message : conversation) {
      if (message instanceof ToolMessage result) {
        all = all.and(result.artifact().flatMap(CitableSources::read).orElse(NONE));
      }
    }
    return all;
  }

  /// Reads the artifact of a result; empty if it is of another tool.
  static Optional<CitableSources> read(Json artifact) {
    if (!artifact.text().startsWith(FORM)) return Optional.empty();
    try {
      return Optional.of(artifact.as(CitableSources.class));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  /// Returns the sources of both.
  public CitableSources and(CitableSources others) {
    var all = new ArrayList<>(citableSources);
    all.addAll(others.citableSources);
    return new CitableSources(all);
  }

  /// Returns the source with a label, in whatever case it is written.
  public Optional<CitableSource> find(String label) {
    var sought = label.toLowerCase(Locale.ROOT);
    return citableSources.stream().filter(source -> source.label().equals(sought)).findFirst();
  }

  /// Compares the citations of an answer with these sources. A citation is a label or number in
  /// brackets, or several with commas between them; code and links are not searched.
  public CitedAnswer check(String answer) {
    return CitationMarks.check(answer, this);
  }
}
