package dev.superstep.deep;

import dev.superstep.agent.Agent;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent that a [DeepAgent] may give tasks to: with a conversation of its own, in which it sees
/// its task alone. It has the plan, the files, the skills and the model of the deep agent, and its
/// own instructions and tools. Immutable; the methods return changed copies.
///
/// ```java
/// SubAgent.named("critic", "Reads a draft and says what is wrong with it.")
///     .instructions("Be strict. Read the draft with `read_file`.")
/// ```
public final class SubAgent {
  private final String name;
  private final String description;
  private String instructions = "";
  private List<Tool> tools = List.of();
  private List<Middleware> middleware = List.of();
  private @Nullable ChatModel model;
  private @Nullable Agent<?> ready;
  private @Nullable Boolean sharesFiles;

  private SubAgent(String name, String description) {
    this.name = name;
    this.description = description;
  }

  private SubAgent(SubAgent from) {
    this(from.name, from.description);
    this.instructions = from.instructions;
    this.tools = from.tools;
    this.middleware = from.middleware;
    this.model = from.model;
    this.ready = from.ready;
    this.sharesFiles = from.sharesFiles;
  }

  /// A sub-agent.
  ///
  /// @param name that of its tool
  /// @param description tells the deep agent when to use it
  public static SubAgent named(String name, String description) {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    return new SubAgent(name, description);
  }

  /// An agent that is complete: it gets nothing of the deep agent but its tasks, its budget and its
  /// gate.
  ///
  /// @param description tells the deep agent when to use it
  public static SubAgent of(Agent<?> agent, String description) {
    var made = new SubAgent(agent.name(), description);
    made.ready = agent;
    return made;
  }

  private SubAgent changed() {
    if (ready != null) {
      throw new IllegalStateException(
          "Sub-agent `%s` is a complete agent. Change that where it is built.".formatted(name));
    }
    return new SubAgent(this);
  }

  /// Sets its instructions.
  public SubAgent instructions(String text) {
    var copy = changed();
    copy.instructions = text;
    return copy;
  }

  /// More tools.
  public SubAgent tools(Tool... offered) {
    var copy = changed();
    copy.tools = joined(tools, List.of(offered));
    return copy;
  }

  /// More tools.
  public SubAgent tools(Tools offered) {
    return tools(
        offered.names().stream()
            .map(tool -> offered.find(tool).orElseThrow())
            .toArray(Tool[]::new));
  }

  /// More middleware, inside of that of the deep agent.
  public SubAgent middleware(Middleware... more) {
    var copy = changed();
    copy.middleware = joined(middleware, List.of(more));
    return copy;
  }

  /// Sets its model; that of the deep agent unless set.
  public SubAgent model(ChatModel own) {
    var copy = changed();
    copy.model = own;
    return copy;
  }

  /// Gives it files of its own, which are empty at its start and gone at its end; or those of the
  /// deep agent. As the deep agent says unless set.
  public SubAgent sharingFiles(boolean shares) {
    var copy = changed();
    copy.sharesFiles = shares;
    return copy;
  }

  static <T> List<T> joined(List<T> some, List<T> more) {
    var all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /// The name of its tool, with underscores.
  public String name() {
    return name;
  }

  /// The description of when to use it.
  public String description() {
    return description;
  }

  String instructions() {
    return instructions;
  }

  List<Tool> tools() {
    return tools;
  }

  List<Middleware> middleware() {
    return middleware;
  }

  @Nullable ChatModel model() {
    return model;
  }

  @Nullable Agent<?> ready() {
    return ready;
  }

  boolean sharesFiles(boolean otherwise) {
    return sharesFiles == null ? otherwise : sharesFiles;
  }

  @Override
  public String toString() {
    return "SubAgent[" + name + "]";
  }
}
