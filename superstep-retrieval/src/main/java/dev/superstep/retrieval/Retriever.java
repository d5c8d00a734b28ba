package dev.superstep.retrieval;

import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.function.UnaryOperator;

/// Finds what has to do with a question. Safe for many threads.
///
/// ```java
/// var retriever = Retriever.over(index, query -> query.limit(4).hybrid());
/// var tool = retriever.tool("search_handbook", "Searches the handbook for rules.");
/// ```
@FunctionalInterface
public interface Retriever {
  /// How many characters of a tool's result are passages at most.
  int TOOL_RESULT_MAX = 16_000;

  /// What has to do with a question, the best first; nothing for a blank one.
  List<Match> retrieve(String question) throws InterruptedException;

  /// Searches an index.
  static Retriever over(VectorIndex index) {
    return over(index, query -> query);
  }

  /// Searches an index by a query that is made from the question.
  static Retriever over(VectorIndex index, UnaryOperator<Query> how) {
    return question -> {
      var announcer = index.announcer();
      long began = System.nanoTime();
      announcer.tell(new RetrievalEvent.RetrieverStarted());
      try {
        var found = index.search(how.apply(Query.of(question)));
        var ids = found.stream().map(match -> match.chunk().id()).toList();
        announcer.tell(new RetrievalEvent.RetrieverCompleted(ids, RetrievalEvents.since(began)));
        return found;
      } catch (RuntimeException e) {
        announcer.tell(new RetrievalEvent.RetrieverFailed(RetrievalEvents.name(e)));
        throw e;
      }
    };
  }

  /// A tool by which a model asks. Its results are [Passages], which name their sources, as many as
  /// fit into [#TOOL_RESULT_MAX] characters.
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
          if (!fitting.matches().isEmpty() || found.isEmpty()) return fitting.text();
          // Its first part is better than nothing; the tool cuts it.
          return new Passages(found.subList(0, 1)).text();
        });
  }

  /// What a model asks.
  record Question(
      @Description("What you want to know, as a whole sentence with the names that matter.")
          String question) {}
}
