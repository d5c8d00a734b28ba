package dev.superstep.rag.component;

import dev.superstep.budget.Prices;
import dev.superstep.language.rag.Capability;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.SendNode;
import dev.superstep.registry.Kind;
import dev.superstep.state.Channel;
import java.util.List;

/// The kinds of components that graphs as text refer to, beside those of [Kind].
///
/// ```java
/// registry.register(Component.of(RagKind.FUNCTION, "split", (state, context) -> ...));
/// registry.register(Component.of(RagKind.CHANNEL, "claim", CLAIM));
/// ```
public final class RagKind {
  /// Code of a node of kind `function`.
  public static final Kind<Node> FUNCTION = Kind.of("function", Node.class);

  /// Code of a node of kind `function` that is sent an argument.
  public static final Kind<SendNode<?>> SEND_FUNCTION = open("send_function", SendNode.class);

  /// Something made of the state: the task of an agent, the input of a graph, what is sent.
  public static final Kind<Mapping> MAPPING = Kind.of("mapping", Mapping.class);

  /// The type of a channel, an argument or an answer: a record, an enum, a sealed interface.
  public static final Kind<Class<?>> TYPE = open("type", Class.class);

  /// A question that registered code asks.
  public static final Kind<Question<?, ?>> QUESTION = open("question", Question.class);

  /// A search for passages, which a node of a model shows it before what it says.
  public static final Kind<PassageFinder> RETRIEVER = Kind.of("retriever", PassageFinder.class);

  /// The text of a prompt, with `{name}` for the value of a channel.
  public static final Kind<String> TEMPLATE = Kind.of("template", String.class);

  /// A constant by which registered code reads and writes a channel. A graph that declares a
  /// channel of its name, kind and type uses this very constant.
  public static final Kind<Channel<?, ?>> CHANNEL = open("channel", Channel.class);

  /// The prices of models in US dollars, under the name `usd`; those of the shipped catalogue
  /// unless registered.
  public static final Kind<Prices> PRICES = Kind.of("prices", Prices.class);

  private RagKind() {}

  @SuppressWarnings({"unchecked", "rawtypes"}) // type arguments are not checked, as in Kind
  private static <T> Kind<T> open(String name, Class type) {
    return (Kind<T>) Kind.of(name, type);
  }

  /// The kinds of components to which names of a capability may refer.
  public static List<Kind<?>> of(Capability capability) {
    return switch (capability) {
      case MODELS -> List.of(Kind.MODEL);
      case TOOLS -> List.of(Kind.TOOL);
      case AGENTS -> List.of(Kind.AGENT);
      case GRAPHS -> List.of(Kind.GRAPH);
      case STORES -> List.of(Kind.STORE);
      case MIDDLEWARE -> List.of(Kind.MIDDLEWARE);
      case ROUTERS -> List.of(Kind.ROUTER);
      case TEMPLATES -> List.of(TEMPLATE);
      case SCRIPTS -> List.of(Kind.SCRIPT);
      case FUNCTIONS -> List.of(FUNCTION, SEND_FUNCTION);
      case MAPPINGS -> List.of(MAPPING);
      case REDUCERS -> List.of(Kind.REDUCER);
      case QUESTIONS -> List.of(QUESTION);
      case TYPES -> List.of(TYPE);
      case RETRIEVERS -> List.of(RETRIEVER);
    };
  }
}
