package dev.superstep.repl.grant;

import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.registry.Registry;
import dev.superstep.tool.ToolGraph;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The language in which cells may write graphs: drafts are read, checked and compared here, and
/// become graphs that run only past the review of the host. Safe for many threads.
///
/// The one for `.rag` is made by `dev.superstep.rag.review.RagLanguage`.
public interface GraphLanguage {
  /// A text that a cell gave a name, of which nothing is believed. Immutable.
  public record Draft(String name, String source) {}

  /// A finding in a draft.
  ///
  /// @param code stable, such as `E-rag-unknown-tool`
  /// @param severity `error`, `warning` or `note`
  public record Finding(String code, String severity, String message, int line, int column) {
    /// In one line for people.
    public String text() {
      return "line %d, column %d: %s[%s] %s".formatted(line, column, severity, code, message);
    }
  }

  /// The names that a session was granted in a registry: a draft can name no others of these kinds.
  ///
  /// @param registry empty if nothing was granted by the name that a registry has
  public record Granted(
      Optional<Registry> registry,
      Set<String> models,
      Set<String> tools,
      Set<String> agents,
      Set<String> graphs,
      Set<String> stores) {
    public Granted {
      models = Set.copyOf(models);
      tools = Set.copyOf(tools);
      agents = Set.copyOf(agents);
      graphs = Set.copyOf(graphs);
      stores = Set.copyOf(stores);
    }
  }

  /// Returns a copy for a session with these grants, whose drafts can name nothing else.
  ///
  /// @param by the name of the session's agent, which is said to have written the drafts
  /// @throws IllegalArgumentException if they are of another registry
  GraphLanguage within(Granted granted, String by);

  /// Reads a text and no more: what is wrong with its form.
  List<Finding> read(Draft draft);

  /// Reads and checks a text; registers nothing.
  List<Finding> validate(Draft draft);

  /// The identity of a text without errors: what a reviewer approves.
  ///
  /// @throws IllegalArgumentException if it has errors, with what they are
  String hash(Draft draft);

  /// The differences between two texts, for people; empty if there are none.
  ///
  /// @throws IllegalArgumentException if one of them has errors
  List<String> diff(Draft before, Draft after);

  /// The text of a graph that is registered, if there is one.
  Optional<Draft> find(String name);

  /// The questions that [#register] may ask a person.
  List<Question<?, ?>> questions();

  /// Makes a graph of a text known, if the host has approved exactly this text, or a person does so
  /// now.
  ///
  /// @param hash of the text when it was compiled
  /// @param review of the approval that the script relies on; empty if it names none
  /// @return why it is not registered; empty if it is
  /// @throws Exception what its steps throw
  Optional<String> register(Draft draft, String hash, String review, NodeContext context)
      throws Exception;

  /// A graph that was registered, as far as it uses what the session was granted.
  ///
  /// @throws IllegalArgumentException if there is none, or if it may not run here
  ToolGraph graph(String name);
}
