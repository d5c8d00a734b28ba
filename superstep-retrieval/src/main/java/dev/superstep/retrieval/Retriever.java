package dev.superstep.retrieval;

import dev.superstep.json.Json;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.function.UnaryOperator;

/// A search for the chunks that are relevant to a question. Safe for many threads.
///
/// ```java
/// var retriever = Retriever.over(index, query -> query.limit(4).hybrid());
/// var tool = retriever.tool("search_handbook", "Searches the handbook for rules.");
/// ```
@FunctionalInterface
public interface Retriever {
  /// The maximum length of a tool's result, in characters.
  int TOOL_RESULT_MAX = 16_000;

  /// Finds the chunks that are relevant to a question, the best first; none for a blank question.
  List<Match> retrieve(String question) throws InterruptedException;

  /// A retriever that searches an index.
  static Retriever over(VectorIndex index) {
    return over(index, query -> query);
  }

  /// A retriever that searches an index by a query made from the question.
  static Retriever over(VectorIndex index, UnaryOperator<Query> how) {
    return question -> {
      var events = index.events();
      long began = System.nanoTime();
      events.publish(new RetrievalEvent.RetrieverStarted());
      try {
        var found = index.search(how.apply(Query.of(question)));
        var ids = found.stream().map(match -> match.chunk().id()).toList();
        events.publish(new RetrievalEvent.RetrieverCompleted(ids, RetrievalEvents.since(began)));
        return found;
      } catch (RuntimeException e) {
        events.publish(new RetrievalEvent.RetrieverFailed(RetrievalEvents.name(e)));
        throw e;
      }
    };
  }

  /// Makes a tool by which a model searches. It only reads. Its results are [Passages], which name
  /// their sources, as many as fit into [#TOOL_RESULT_MAX] characters. Their places are the
  /// artifact of the result, which the model does not see:
  /// `message.artifact().get().as(Places.class)`.
  ///
  /// @param name in snake case
  /// @param description tells the model what it can find there
  default Tool tool(String name, String description) {
    return Tool.of(
            name,
            description,
            Question.class,
            (asked, _) -> {
              if (asked.question().isBlank()) {
                return ToolResult.error("The question is blank. Ask for something.");
              }
              var found = retrieve(asked.question());
              var fitting = new Passages(found).within(TOOL_RESULT_MAX);
              if (fitting.matches().isEmpty() && !found.isEmpty()) {
                // Its first part is better than nothing; the tool cuts it.
                fitting = new Passages(found.subList(0, 1));
              }
              return ToolResult.of(fitting.text())
                  .withArtifact(Json.of(Places.of(fitting.matches())));
            })
        .withPolicy(ToolPolicy.readOnly());
  }

  /// The places of the passages of a result, in the order of their numbers in its text.
  record Places(List<Place> places) {
    public Places {
      places = List.copyOf(places);
    }

    private static Places of(List<Match> matches) {
      return new Places(matches.stream().map(Place::of).toList());
    }
  }

  /// The place of a passage in its document.
  ///
  /// @param start the offset of its first character in the text of the document
  /// @param end the offset behind its last character
  record Place(String chunk, String document, String source, int start, int end) {
    private static Place of(Match match) {
      var from = match.chunk().provenance();
      return new Place(
          match.chunk().id(), from.document(), from.source(), from.start(), from.end());
    }
  }

  /// The arguments of the tool.
  record Question(
      @Description("What you want to know, as a whole sentence with the names that matter.")
          String question) {}
}
