package dev.superstep.language.rag;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Severity;
import dev.superstep.language.Span;
import java.util.Locale;

/// The codes of findings about `.rag` sources. A code never changes its meaning.
public enum RagCode {
  SOURCE_TOO_LONG("the source is longer than the limit"),
  TOO_MANY_TOKENS("the source has more tokens than the limit"),
  TOO_DEEP("braces and brackets are nested deeper than the limit"),
  INVALID_TOKEN("characters that begin no token"),
  INVALID_NAME("a name with characters that a name may not have"),
  INVALID_CHARACTER("a control character or half a character in a string or comment"),
  HIDDEN_DIRECTION(Severity.WARNING, "a character that changes the direction of the text"),
  UNTERMINATED_STRING("a string without its closing quotes"),
  INVALID_ESCAPE("an escape that does not exist"),
  INVALID_NUMBER("a number or duration that cannot be read"),

  UNEXPECTED_TOKEN("a token that cannot stand here"),
  UNKNOWN_ITEM("a keyword that this block does not have"),
  MISSING_BRACE("a block that is not closed"),

  DUPLICATE_GRAPH("two graphs of one name"),
  DUPLICATE_NODE("two nodes of one name"),
  DUPLICATE_CHANNEL("two channels of one name"),
  DUPLICATE_FIELD("two fields of one name"),
  DUPLICATE_ROUTE("two routes of one label"),
  DUPLICATE_EDGE("an edge that is there twice"),
  DUPLICATE_ITEM("an item that may stand once, and stands twice"),
  DUPLICATE_NAME("a name twice in one list"),

  INVALID_NODE_KIND("a kind of node that does not exist"),
  INVALID_VALUE("a value that is none of the possible ones"),
  INVALID_TIMEOUT("a duration that is no duration, or not in bounds"),
  WRONG_TYPE("a value of the wrong type"),
  UNKNOWN_KEY("a key that this object does not have"),
  RESERVED_NAME("START or END as the name of something"),

  MISSING_START("a graph that begins nowhere"),
  UNKNOWN_NODE("a node that the graph does not have"),
  UNKNOWN_ROUTE_TARGET("a route to a node that the graph does not have"),
  UNKNOWN_CHANNEL("a channel that the graph does not have"),
  UNKNOWN_PLACEHOLDER(Severity.WARNING, "a placeholder of a prompt that names no channel"),
  MIXED_ROUTING("two ways to say what follows a node"),
  INVALID_TARGET("an edge from END or to START"),
  UNREACHABLE_NODE("a node that nothing leads to"),
  NO_PATH_TO_END("a node from which the graph cannot end"),
  SEND_WITHOUT_MAPPING("a send without the name of its mapping"),
  SEND_TO_END("a send to END"),
  INVALID_JOIN("a join that cannot fire as it stands"),
  STARVING_JOIN(Severity.WARNING, "a join that may wait for ever"),
  INVALID_TRIGGER("a trigger on a channel that holds no token"),
  INCOMPATIBLE_ITEM("an item that nodes of this kind do not have"),
  MISSING_ITEM("an item that nodes of this kind need"),
  MISSING_ROUTER("routes of a node that ends with no label, without a router"),
  MISSING_ROUTE(Severity.WARNING, "an answer that no route takes"),
  UNPRODUCED_LABEL(Severity.WARNING, "a route whose label the node never ends with"),
  CHECKPOINT_INTERRUPT("a question in a graph that saves no checkpoints"),
  INTERRUPT_DISABLED("a question in a graph that may not ask"),
  GRAPH_CYCLE("a graph that is inside itself"),

  CHANNEL_WITHOUT_REDUCER("a channel without a reducer"),
  UNKNOWN_REDUCER("a reducer that does not exist"),
  REDUCER_ARGUMENTS("arguments that the reducer does not take"),
  CONVENTIONAL_CHANNEL(
      Severity.WARNING, "a channel of a conventional name that nodes do not write by themselves"),

  STEERING_ACTOR("an actor that cannot steer"),
  STEERING_COMMAND("a steering command that does not exist"),
  STEERING_TARGET("steering of a node that cannot be steered"),

  UNKNOWN_MODEL("a model that is not registered"),
  UNKNOWN_TOOL("a tool that is not registered"),
  UNKNOWN_AGENT("an agent that is not registered"),
  UNKNOWN_SUBGRAPH("a graph that is neither in the source nor registered"),
  UNKNOWN_STORE("a store that is not registered"),
  UNKNOWN_MIDDLEWARE("middleware that is not registered"),
  UNKNOWN_RETRIEVER("a retriever that is not registered"),
  UNKNOWN_ROUTER("a router that is not registered"),
  UNKNOWN_TEMPLATE("a template that is not registered"),
  UNKNOWN_SCRIPT("a script that is not registered"),
  UNKNOWN_FUNCTION("a function that is not registered"),
  UNKNOWN_MAPPING("a mapping that is not registered"),
  UNKNOWN_QUESTION("a question that is not registered"),
  UNKNOWN_TYPE("a type that is not registered"),
  DISALLOWED_CAPABILITY("something that the graph itself or its host does not allow"),
  DISALLOWED_GENERATED_CAPABILITY("something that a generated graph may not use"),
  REVIEW_REQUIRED("a generated graph that nobody has reviewed"),
  UNFIT_COMPONENT("a registered component that does not fit where the graph uses it"),
  UNFIT_GRAPH("a graph that the engine refuses"),
  NOT_AVAILABLE("something that needs a part which is not here"),
  NAMES_UNRESOLVED(Severity.NOTE, "names that were not looked up, since nothing is registered");

  private final Severity severity;
  private final String meaning;

  RagCode(String meaning) {
    this(Severity.ERROR, meaning);
  }

  RagCode(Severity severity, String meaning) {
    this.severity = severity;
    this.meaning = meaning;
  }

  /// The stable code, such as `E-rag-unknown-node`.
  public String code() {
    return "E-rag-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The severity unless a policy makes it another.
  public Severity severity() {
    return severity;
  }

  /// A phrase that says what it stands for.
  public String meaning() {
    return meaning;
  }

  /// A finding of this code.
  public Diagnostic at(Span span, String message) {
    return Diagnostic.of(severity, code(), span, message);
  }
}
