package dev.superstep.language.rag;

import static dev.superstep.language.rag.RagCode.*;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The words of the language in sentences: what each item, kind, declaration and reducer means.
/// Editors show them, and the language reference is written from them.
public final class Reference {
  /// The explanation of an item.
  ///
  /// @param meaning one or two sentences
  /// @param absent what holds where the item does not stand
  public record Entry(String meaning, String absent) {}

  private static final List<String> STEERING_COMMANDS =
      List.of(
          "add_instruction",
          "replace_instruction",
          "ask_clarifying_question",
          "provide_context",
          "constrain_tools",
          "constrain_model",
          "pause",
          "resume",
          "cancel",
          "approve",
          "reject",
          "redirect",
          "request_status",
          "update_budget",
          "say");
  private static final Map<Item, Entry> ITEMS = items();
  private static final Map<Item, Set<RagCode>> CODES = codes();
  private static final Map<String, String> DECLARATIONS = declarations();
  private static final Map<String, String> REDUCERS = reducers();
  private static final Map<String, String> CUTS = cuts();

  private Reference() {}

  /// The explanation of an item.
  public static Entry of(Item item) {
    return ITEMS.getOrDefault(item, new Entry("", ""));
  }

  /// The codes that an item can be reported with, beyond those that any item can.
  public static Set<RagCode> codes(Item item) {
    return CODES.getOrDefault(item, Set.of());
  }

  /// The kinds of nodes, each with what a node of that kind does.
  public static String of(NodeKind kind) {
    return switch (kind) {
      case MODEL -> "One call of a model; no tools run.";
      case AGENT ->
          "The whole loop of an agent: calls of a model and its tools until it has an answer.";
      case TOOL_EXECUTOR ->
          "Runs the tool calls that are in the conversation and name one of its tools.";
      case ROUTER -> "Runs nothing; a registered router chooses among its routes.";
      case SUBGRAPH -> "Another graph, of this source or registered, as a child run of its own.";
      case SUBAGENT -> "A registered agent as a child run, which may use no more than its parent.";
      case REPL_AGENT -> "A script or a loop of the session language.";
      case INTERRUPT -> "Asks a question and waits; the answer is the label of the route.";
      case HUMAN -> "Asks a person, who is shown prompt, options and node.";
      case JOIN -> "Waits for its sources, and does nothing itself.";
      case FUNCTION -> "A registered node.";
    };
  }

  /// The keywords of declarations, with what each declares.
  public static Map<String, String> declared() {
    return DECLARATIONS;
  }

  /// The standard reducers, with how each combines writes.
  public static Map<String, String> standardReducers() {
    return REDUCERS;
  }

  /// The words that limit what a channel holds.
  public static Map<String, String> channelCuts() {
    return CUTS;
  }

  /// The commands that an agent at work can be sent.
  public static List<String> steeringCommands() {
    return STEERING_COMMANDS;
  }

  private static Map<String, String> declarations() {
    var all = new LinkedHashMap<String, String>();
    all.put("graph", "A graph: `graph name { ... }`. A source may have several.");
    all.put(
        "allow",
        "`allow kind [names]`: nothing else of this kind may be used by any node; it only"
            + " narrows.");
    all.put(
        "channel",
        "`channel name reducer arguments of type cuts`: a part of the state, and how writes to it"
            + " are combined. Without `of` it holds `json`, or the type of the input or output of"
            + " its name.");
    all.put("node", "`node name { ... }`: a step of the graph. Without `kind` it is a `model`.");
    all.put(
        "join",
        "`join [a, b] -> c`: c runs when all sources have arrived, across supersteps; `join any`"
            + " and `join 2 of` wait for fewer.");
    all.put("trigger", "`trigger [t, u] -> n`: n runs when all these channels hold a token.");
    return java.util.Collections.unmodifiableMap(all);
  }

  private static Map<String, String> reducers() {
    var all = new LinkedHashMap<String, String>();
    all.put("overwrite", "The latest write. Two writers in one superstep are an error.");
    all.put("any", "Any one of the writes of a superstep.");
    all.put("ephemeral", "The latest write, for one superstep only.");
    all.put("untracked", "The latest write, which is not saved.");
    all.put("topic", "All writes of the last superstep, as a list.");
    all.put("append", "All writes, as a list.");
    all.put(
        "by_id",
        "A list in which an element replaces the one with an equal field: `by_id \"id\"`.");
    all.put("merge", "An object whose fields are replaced one by one.");
    all.put("union", "A list without duplicates.");
    all.put("sum", "The sum of all writes.");
    all.put("min", "The smallest of all writes.");
    all.put("max", "The largest of all writes.");
    all.put("messages", "A conversation.");
    all.put("token", "A token that a trigger consumes.");
    all.put("barrier", "A token that is there after so many writes: `barrier 3`.");
    all.put(
        "named_barrier",
        "A token that is there when each name was written: `named_barrier \"a\" \"b\"`.");
    all.put("aggregate", "A registered reducer of equal types: `aggregate \"name\"`.");
    all.put("folding", "A registered reducer of values and updates: `folding \"name\"`.");
    all.put("delta", "A registered reducer over a log of writes: `delta \"name\"`.");
    return java.util.Collections.unmodifiableMap(all);
  }

  private static Map<String, String> cuts() {
    var all = new LinkedHashMap<String, String>();
    all.put("keep_last", "Keeps the last N elements: `keep_last 100`.");
    all.put(
        "keep_within",
        "Keeps the newest elements whose weights sum up to N: `keep_within 4000 \"tokens\"`.");
    all.put("keep_top", "Keeps the N elements with the highest rank: `keep_top 10 \"score\"`.");
    all.put("dedup_by", "Keeps one element of those with an equal field: `dedup_by \"url\"`.");
    all.put(
        "snapshot_every", "Saves a whole value after N writes: `snapshot_every 50`. Only `delta`.");
    return java.util.Collections.unmodifiableMap(all);
  }

  private static Map<Item, Entry> items() {
    var all = new EnumMap<Item, Entry>(Item.class);
    components(all);
    values(all);
    graphs(all);
    policies(all);
    routing(all);
    return all;
  }

  private static void put(Map<Item, Entry> all, Item item, String meaning, String absent) {
    all.put(item, new Entry(meaning, absent));
  }

  private static void components(Map<Item, Entry> all) {
    put(all, Item.KIND, "What the node does; `graph` means `subgraph`.", "`model`");
    put(all, Item.FUNCTION_NAME, "The registered node that runs.", "required");
    put(
        all,
        Item.MODEL_NAME,
        "The registered model that is called; in a sub-agent it replaces the agent's own. A graph"
            + " of this source that runs inside uses it where its nodes name none.",
        "required for `model` and `agent`, unless a graph around gives one; else the agent's own");
    put(all, Item.AGENT_NAME, "The registered agent that runs as a child.", "required");
    put(
        all,
        Item.GRAPH_NAME,
        "The graph that runs inside: one of this source, or a registered one.",
        "required");
    put(all, Item.SCRIPT, "The script of the session language.", "none");
    put(
        all,
        Item.SYSTEM,
        "Instructions to the model. `{name}` is replaced by the value of that channel or input;"
            + " `{{` is one brace.",
        "none");
    put(
        all,
        Item.PROMPT,
        "The message to the model behind the conversation, or the question to a person. `{name}` is"
            + " replaced as in `system`.",
        "none for models: a model without conversation is told the input of the graph; required for"
            + " questions");
    put(all, Item.OPTIONS, "The answers that a person may give.", "any answer");
    put(
        all,
        Item.TOOLS,
        "The registered tools that may be called.",
        "none; in a sub-agent the agent's own; required for `tool_executor`");
    put(
        all,
        Item.MIDDLEWARE,
        "Registered middleware around the calls, the outermost first.",
        "none");
    put(
        all,
        Item.RETRIEVER,
        "A registered search for passages. What it finds for what the node says is put before"
            + " that.",
        "none");
  }

  private static void values(Map<Item, Entry> all) {
    put(
        all,
        Item.ARGUMENT,
        "The type of what the node is sent; it runs once for each send.",
        "`json` for a node that is sent something");
    put(
        all,
        Item.INPUT_MAPPING,
        "A registered mapping of the state: to the message of a model, the task of an agent, the"
            + " input of a graph.",
        "none; a graph inside shares the channels of its name");
    put(
        all,
        Item.OUTPUT_MAPPING,
        "A registered mapping of the result of a graph or agent to writes.",
        "the values of shared channels, or the answer");
    put(all, Item.ANSWER, "The type of the answer, which the model or person must give.", "text");
    put(
        all,
        Item.INTO,
        "The channel that the answer is written to.",
        "`messages`, if there is one");
    put(all, Item.READS, "The channels that the node may read; reading another one fails.", "all");
    put(
        all,
        Item.WRITES,
        "The channels that the node may write; writing another one fails.",
        "all");
    put(
        all,
        Item.SOURCES,
        "The nodes that the join waits for: all, `any`, or `2 of` them.",
        "required");
    put(
        all,
        Item.RUN_WHEN_CHANGED,
        "The node runs only if one of these channels has changed since its last run; else it is"
            + " skipped.",
        "always runs");
    put(all, Item.DEFERRED, "The node waits until nothing else is due.", "runs when it is due");
    put(
        all,
        Item.REMEMBERING,
        "The graph or agent continues from its last state instead of a new one.",
        "begins anew each time");
  }

  private static void graphs(Map<Item, Entry> all) {
    put(all, Item.METADATA, "Any values. They are kept and shown, and change no run.", "none");
    put(
        all,
        Item.DEFAULTS,
        "Options of each run, and policies of each node in `node { ... }`.",
        "those of the engine");
    put(all, Item.RECURSION_LIMIT, "The most supersteps of a run.", "50, or what the host sets");
    put(
        all,
        Item.TOTAL_LIMIT,
        "The most supersteps of a run with all graphs inside it.",
        "1000, or what the host sets");
    put(all, Item.RETRY_BUDGET, "The most retries of a run, over all nodes.", "1000");
    put(
        all,
        Item.DURABILITY,
        "When a step is saved: before it returns, by a queue, or at the end of the run.",
        "`sync`");
    put(all, Item.STREAMING, "Whether pieces of replies are published.", "`enabled`");
    put(
        all,
        Item.RUN_CACHE,
        "Whether nodes may use the cache of the run.",
        "`enabled`, if the host has a cache");
    put(
        all,
        Item.DATAFLOW,
        "Whether tasks may start before their superstep where that makes no difference.",
        "`disabled`");
    put(
        all,
        Item.CHECKPOINT,
        "Whether runs are saved: `enabled` refuses a run without a thread, `disabled` takes none."
            + " On a node: whether its calls and steps are saved before it ends.",
        "`inherit`");
    put(
        all,
        Item.INPUT,
        "What a run takes, checked before it begins. A field without a channel declares an"
            + " `overwrite` channel.",
        "any channel may be written");
    put(all, Item.OUTPUT, "The channels that a run gives back, checked.", "all channels");
    put(all, Item.STORE, "The registered store of long-term memory.", "the host's, if it has one");
    put(all, Item.QUESTIONS, "The registered questions that functions of the graph ask.", "none");
    put(
        all,
        Item.INTERRUPTS,
        "Whether nodes may ask: `disabled` refuses them, `enabled` refuses a run without a thread.",
        "allowed");
    put(all, Item.CYCLES, "Whether the graph may have cycles.", "`warn`");
    put(all, Item.BREAKPOINTS, "Where a run stops and waits to be resumed.", "nowhere");
    put(
        all,
        Item.LIMITS,
        "The budget of a graph or of one node, over crashes and resumptions of its thread. No limit"
            + " is passed by more than one call.",
        "no limit");
  }

  private static void policies(Map<Item, Entry> all) {
    put(
        all,
        Item.RETRY,
        "How often and after which waits a failed node runs again.",
        "no retry; with `retry {}`: 4 attempts, 200 ms, factor 2, at most 30 s, full jitter");
    put(
        all,
        Item.TIMEOUT,
        "The longest time of one attempt; in `defaults` of the whole run. A bare number counts"
            + " seconds. Of a join: how long it waits for all its sources once the first has come.",
        "no limit");
    put(
        all,
        Item.IDLE_TIMEOUT,
        "The longest time in which an attempt reports no progress.",
        "no limit");
    put(
        all,
        Item.ON_FAILURE,
        "What becomes of a failed node: the run fails (`abort`), goes on without it (`skip`), goes"
            + " to another node (`route n`), or takes these writes (`fallback { ... }`). `record c`"
            + " writes the failure to a channel.",
        "`abort`");
    put(
        all,
        Item.CONCURRENCY,
        "The most tasks of the node, or of the run, at a time.",
        "64 for a run; no own limit for a node");
    put(all, Item.PRIORITY, "Tasks of higher numbers start first where not all can.", "0");
    put(all, Item.RATE, "How often the node may start: `rate 10 per 1s`.", "no limit");
    put(all, Item.VISITS, "How often the node may run in one run.", "no limit");
    put(
        all,
        Item.CACHE,
        "The result is taken from the run's cache if what it depends on is equal.",
        "not cached");
    put(
        all,
        Item.STEERING,
        "Who may send which commands to the agent or graph while it works.",
        "what the host allows");
    put(all, Item.NODE_DEFAULTS, "Policies of each node that does not set its own.", "none");
  }

  private static void routing(Map<Item, Entry> all) {
    put(
        all,
        Item.START,
        "Where a run begins: a node, several, or routing in braces.",
        "required, unless a trigger starts the graph");
    put(
        all,
        Item.COMMAND,
        "Writes to channels and a node to go to, both with the result of the node.",
        "none");
    put(
        all,
        Item.ROUTER_NAME,
        "The registered router that chooses a label; `many` lets it choose several.",
        "the label that the node ends with");
    put(
        all,
        Item.ROUTES,
        "The node that follows each label. `{ n }` is a route that the name of its target chooses.",
        "none");
    put(
        all,
        Item.NEXT,
        "The node or nodes that follow.",
        "the edges of the graph; without any, the path ends");
    put(
        all,
        Item.SENDS,
        "Nodes that are sent the elements of a registered mapping, a task for each.",
        "none");
    put(all, Item.FAN_OUT, "A registered router that sends to these nodes.", "none");
    put(
        all,
        Item.DESTINATIONS,
        "The nodes that code of the node may go to by a command, in place of its edges.",
        "none");
    put(
        all,
        Item.ADDED_DESTINATIONS,
        "The nodes that code of the node may go to besides its edges.",
        "none");
    put(all, Item.HAND_OFFS, "The nodes that the graph inside may hand off to.", "none");
  }

  private static Map<Item, Set<RagCode>> codes() {
    var all = new EnumMap<Item, Set<RagCode>>(Item.class);
    for (var item : Item.values()) {
      var codes = EnumSet.noneOf(RagCode.class);
      codes.addAll(shaped(item));
      item.refersTo().ifPresent(kind -> codes.addAll(referring(kind)));
      boolean isNarrow = item.kinds().size() < NodeKind.values().length;
      if (item.scopes().contains(Scope.NODE) && isNarrow) codes.add(INCOMPATIBLE_ITEM);
      codes.addAll(own(item));
      all.put(item, new LinkedHashSet<>(codes));
    }
    return all;
  }

  private static List<RagCode> shaped(Item item) {
    return switch (item.shape()) {
      case WORD -> List.of(item == Item.KIND ? INVALID_NODE_KIND : INVALID_VALUE);
      case TEXT, COUNT -> List.of(WRONG_TYPE);
      case TEXTS -> List.of(DUPLICATE_NAME);
      case NAME -> List.of(UNKNOWN_CHANNEL);
      case NAMES -> List.of(DUPLICATE_NAME, UNKNOWN_CHANNEL);
      case TARGETS -> List.of(DUPLICATE_NAME, UNKNOWN_NODE, INVALID_TARGET);
      case DURATION -> List.of(INVALID_TIMEOUT);
      case OBJECT -> List.of(DUPLICATE_NAME);
      case PROMPT ->
          List.of(
              UNKNOWN_PLACEHOLDER,
              UNKNOWN_TEMPLATE,
              DISALLOWED_CAPABILITY,
              DISALLOWED_GENERATED_CAPABILITY);
      case TYPE -> List.of(UNKNOWN_TYPE, TOO_DEEP);
      case FIELDS -> List.of(DUPLICATE_FIELD, UNKNOWN_TYPE, TOO_DEEP);
      case ROUTES -> List.of(DUPLICATE_ROUTE, UNKNOWN_ROUTE_TARGET, INVALID_TARGET, INVALID_NAME);
      case SENDS -> List.of(SEND_WITHOUT_MAPPING, SEND_TO_END, UNKNOWN_NODE, INVALID_TARGET);
      case FAN_OUT -> List.of(SEND_TO_END, UNKNOWN_NODE, INVALID_TARGET, DUPLICATE_NAME);
      case COMMAND -> List.of(UNKNOWN_NODE, UNKNOWN_CHANNEL, INVALID_TARGET, DUPLICATE_ITEM);
      case STEERING -> List.of(STEERING_ACTOR, STEERING_COMMAND, INVALID_VALUE, DUPLICATE_NAME);
      case ON_FAILURE -> List.of(UNKNOWN_NODE, UNKNOWN_CHANNEL, SEND_TO_END, INVALID_TARGET);
      case RATE -> List.of(WRONG_TYPE, INVALID_TIMEOUT);
      case SOURCES ->
          List.of(UNKNOWN_NODE, INVALID_JOIN, STARVING_JOIN, INVALID_TARGET, DUPLICATE_NAME);
      case FLAG, ROUTER, BLOCK -> List.of();
    };
  }

  private static List<RagCode> referring(Capability kind) {
    var unknown =
        Arrays.stream(RagCode.values())
            .filter(code -> code.code().equals(kind.unknownCode()))
            .findFirst()
            .orElseThrow();
    return List.of(unknown, DISALLOWED_CAPABILITY, DISALLOWED_GENERATED_CAPABILITY);
  }

  private static List<RagCode> own(Item item) {
    var codes =
        switch (item) {
          case KIND ->
              List.of(
                  MISSING_ITEM,
                  CHECKPOINT_INTERRUPT,
                  INTERRUPT_DISABLED,
                  DISALLOWED_CAPABILITY,
                  DISALLOWED_GENERATED_CAPABILITY,
                  NOT_AVAILABLE);
          case START -> List.of(MISSING_START, MIXED_ROUTING);
          case NEXT -> List.of(MIXED_ROUTING);
          case ROUTES -> List.of(MIXED_ROUTING, MISSING_ROUTER, MISSING_ROUTE, UNPRODUCED_LABEL);
          case ROUTER_NAME -> List.of(MIXED_ROUTING);
          case COMMAND -> List.of(MIXED_ROUTING);
          case GRAPH_NAME -> List.of(GRAPH_CYCLE);
          case CHECKPOINT -> List.of(CHECKPOINT_INTERRUPT);
          case INTERRUPTS -> List.of(INTERRUPT_DISABLED, CHECKPOINT_INTERRUPT);
          case STEERING -> List.of(STEERING_TARGET);
          case CACHE ->
              List.of(
                  UNKNOWN_CHANNEL,
                  UNKNOWN_MAPPING,
                  DISALLOWED_CAPABILITY,
                  DISALLOWED_GENERATED_CAPABILITY);
          case BREAKPOINTS -> List.of(UNKNOWN_NODE, INVALID_TARGET);
          case INPUT -> List.of(WRONG_TYPE);
          case OUTPUT -> List.of(UNKNOWN_CHANNEL);
          default -> List.<RagCode>of();
        };
    if (item.keys().isEmpty()) return codes;
    var all = new LinkedHashSet<>(codes);
    all.addAll(List.of(UNKNOWN_KEY, WRONG_TYPE, INVALID_VALUE, INVALID_TIMEOUT));
    return List.copyOf(all);
  }

  /// The explanation of a word that begins something in a block, if it begins something.
  public static Optional<String> keyword(Scope scope, String word) {
    var item = Item.of(scope, word).map(each -> of(each).meaning());
    if (item.isPresent()) return item;
    return scope == Scope.GRAPH ? Optional.ofNullable(DECLARATIONS.get(word)) : Optional.empty();
  }
}
