package dev.superstep.deep;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.budget.Budget;
import dev.superstep.files.CollectedChanges;
import dev.superstep.files.FileTools;
import dev.superstep.files.FileTree;
import dev.superstep.files.ThreadFiles;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Summarization;
import dev.superstep.middleware.TodoList;
import dev.superstep.middleware.Trigger;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelResolver;
import dev.superstep.skills.ProjectNotes;
import dev.superstep.skills.Skills;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A ready arrangement of an agent for long work. It keeps a list of what is to do, works with
/// files, gives tasks to sub-agents with contexts of their own, puts large results into files, and
/// replaces the older part of a long conversation by a summary. Every part can be replaced or left
/// out; what is built is an [Agent] like any other.
///
/// ```java
/// var researcher =
///     DeepAgent.named("researcher")
///         .model(model)
///         .instructions("Answer with a report.")
///         .tools(search)
///         .subAgent(SubAgent.named("critic", "Says what is wrong with a draft."))
///         .skills(Skills.in(Path.of("skills")))
///         .build();
/// ```
///
/// The files are part of the thread ([ThreadFiles]), unless others are set. The sub-agent of the
/// tool `task` is a copy of the agent, without sub-agents of its own. The settings of a deep agent
/// are for one thread at a time; what it builds is immutable.
public final class DeepAgent {
  static final String TASK = "task";
  private static final String TASK_DESCRIPTION =
      "Gives a task to a helper that has your tools and a context of its own, and returns its"
          + " answer.";
  private static final String MEMORIES = "memories";
  private static final int OFFLOAD = 16_000;
  private static final int MODEL_CALLS = 100;
  private static final int TOOL_CALLS = 300;
  private static final double FULL = 0.75;
  private static final int FULL_TOKENS = 150_000;

  private final String name;
  private final List<Tool> tools = new ArrayList<>();
  private final List<Middleware> middleware = new ArrayList<>();
  private final List<SubAgent> helpers = new ArrayList<>();
  private String instructions = "";
  private @Nullable ChatModel model;
  private @Nullable ModelResolver models;
  private @Nullable TodoList todos = TodoList.create();
  private boolean hasFiles = true;
  private @Nullable FileTree files;
  private @Nullable FileTree memories;
  private boolean sharesFiles = true;
  private boolean hasTask = true;
  private @Nullable Skills skills;
  private @Nullable ProjectNotes notes;
  private boolean summarizes = true;
  private @Nullable Summarization summarization;
  private int offload = OFFLOAD;
  private UnaryOperator<AgentBuilder> settings = UnaryOperator.identity();

  private DeepAgent(String name) {
    this.name = name;
  }

  /// The settings of a deep agent, with all parts.
  public static DeepAgent named(String name) {
    return new DeepAgent(name);
  }

  /// The model that is asked, also for summaries and by sub-agents that have none of their own.
  public DeepAgent model(ChatModel chatModel) {
    model = chatModel;
    models = ModelResolver.of(chatModel);
    return this;
  }

  /// Sets the resolver that chooses a model for each turn. Without a [#model] there are summaries
  /// only by a [#summarization].
  public DeepAgent models(ModelResolver resolver) {
    models = resolver;
    return this;
  }

  /// Sets the instructions. How to use the parts is added to them.
  public DeepAgent instructions(String text) {
    instructions = text;
    return this;
  }

  /// More tools, also for the sub-agent `task`.
  public DeepAgent tools(Tool... offered) {
    tools.addAll(List.of(offered));
    return this;
  }

  /// More tools, also for the sub-agent `task`.
  public DeepAgent tools(Tools offered) {
    for (var tool : offered.names()) tools.add(offered.find(tool).orElseThrow());
    return this;
  }

  /// More middleware, inside of the parts, also for the sub-agent `task`.
  public DeepAgent middleware(Middleware... more) {
    middleware.addAll(List.of(more));
    return this;
  }

  // --- The plan ---

  /// Replaces the list of things to do.
  public DeepAgent todos(TodoList list) {
    todos = list;
    return this;
  }

  /// Leaves the list of things to do out.
  public DeepAgent withoutTodos() {
    todos = null;
    return this;
  }

  // --- Files ---

  /// Replaces the files, such as by those of a workspace. They are not part of the thread then, and
  /// all sub-agents share them.
  public DeepAgent files(FileTree tree) {
    files = tree;
    hasFiles = true;
    return this;
  }

  /// Leaves files out, and with them memories and large results in files.
  public DeepAgent withoutFiles() {
    hasFiles = false;
    return this;
  }

  /// Adds files that outlast the thread, in the folder `memories`, such as `FileTree.in(store,
  /// Namespace.of("memories", user))`.
  public DeepAgent memories(FileTree lasting) {
    memories = lasting;
    return this;
  }

  /// Gives each sub-agent files of its own, which are empty at its start and gone at its end, or
  /// the files of the agent; the latter unless set. A [SubAgent] may differ.
  public DeepAgent sharingFiles(boolean shares) {
    sharesFiles = shares;
    return this;
  }

  /// Puts results of tools into files that have more characters; 16,000 unless set. Tools cut their
  /// results off before that: those with large ones need a [Tool#withResultLimit] of their own.
  public DeepAgent offloadingOver(int characters) {
    if (characters < 1_000) {
      throw new IllegalArgumentException("characters must be at least 1000, was " + characters);
    }
    offload = characters;
    return this;
  }

  /// Leaves large results in the conversation.
  public DeepAgent withoutOffloading() {
    offload = Integer.MAX_VALUE;
    return this;
  }

  // --- Sub-agents ---

  /// Adds sub-agents.
  public DeepAgent subAgent(SubAgent... more) {
    helpers.addAll(List.of(more));
    return this;
  }

  /// Leaves the sub-agent `task` out.
  public DeepAgent withoutTask() {
    hasTask = false;
    return this;
  }

  // --- Knowledge ---

  /// Sets the skills, also for sub-agents.
  public DeepAgent skills(Skills known) {
    skills = known;
    return this;
  }

  /// Sets the notes of a project, also for sub-agents.
  public DeepAgent notes(ProjectNotes ofProject) {
    notes = ofProject;
    return this;
  }

  /// Replaces the summaries; at 75 % of the model's context window, and at 150,000 tokens, unless
  /// set.
  public DeepAgent summarization(Summarization summaries) {
    summarization = summaries;
    summarizes = true;
    return this;
  }

  /// Leaves summaries out.
  public DeepAgent withoutSummarization() {
    summarizes = false;
    return this;
  }

  // --- Limits ---

  /// Limits the spending of a run, with the sub-agents.
  public DeepAgent budget(Budget most) {
    return settings(builder -> builder.budget(most));
  }

  /// Which tools may be called, and which only after a person has approved; also in sub-agents.
  public DeepAgent gate(ToolGate rules) {
    return settings(builder -> builder.gate(rules));
  }

  /// Changes anything else of the agent, such as `b -> b.timeout(Duration.ofHours(1))`. A run takes
  /// at most 100 turns of the model and 300 tool calls unless that says otherwise.
  public DeepAgent settings(UnaryOperator<AgentBuilder> change) {
    var before = settings;
    settings = builder -> change.apply(before.apply(builder));
    return this;
  }

  // --- Building ---

  /// An agent that answers with text.
  ///
  /// @throws IllegalStateException if no model was set
  public Agent<String> build() {
    return builder().build();
  }

  /// An agent that answers with a value of a record, or of a sealed interface over records.
  ///
  /// @throws IllegalStateException if no model was set
  public <A> Agent<A> answering(Class<A> type) {
    return builder().answering(type);
  }

  private AgentBuilder builder() {
    if (models == null) {
      throw new IllegalStateException("Agent `" + name + "` has no model. Call model(...).");
    }
    boolean hasHelpers = hasTask || !helpers.isEmpty();
    var builder = begun(name, models, prompt(hasHelpers, false).after(instructions));
    addParts(builder, ThreadFiles.create());
    builder.tools(tools.toArray(Tool[]::new));
    builder.middleware(middleware.toArray(Middleware[]::new));
    if (hasTask) builder.agent(taskAgent(models), TASK_DESCRIPTION);
    for (var helper : helpers) builder.agent(built(helper, models), helper.description());
    return settings.apply(builder);
  }

  private static AgentBuilder begun(String name, ModelResolver models, String instructions) {
    return Agent.named(name)
        .models(models)
        .instructions(instructions)
        .modelCalls(MODEL_CALLS)
        .toolCalls(TOOL_CALLS);
  }

  private DeepPrompt prompt(boolean hasHelpers, boolean isHelper) {
    return new DeepPrompt(
        hasFiles,
        hasFiles && memories != null,
        hasFiles && offload < Integer.MAX_VALUE,
        hasHelpers,
        isHelper);
  }

  private Agent<String> taskAgent(ModelResolver of) {
    var builder = begun(TASK, of, prompt(false, true).after(instructions));
    addParts(builder, ofHelper(sharesFiles));
    builder.tools(tools.toArray(Tool[]::new));
    return builder.middleware(middleware.toArray(Middleware[]::new)).build();
  }

  private Agent<?> built(SubAgent helper, ModelResolver of) {
    var ready = helper.ready();
    if (ready != null) return ready;
    var own = helper.model();
    var resolver = own == null ? of : ModelResolver.of(own);
    var builder = begun(helper.name(), resolver, prompt(false, true).after(helper.instructions()));
    addParts(builder, ofHelper(helper.sharesFiles(sharesFiles)));
    builder.tools(helper.tools().toArray(Tool[]::new));
    return builder.middleware(helper.middleware().toArray(Middleware[]::new)).build();
  }

  private static ThreadFiles ofHelper(boolean shares) {
    return shares ? ThreadFiles.ofCaller() : ThreadFiles.create();
  }

  /// Adds the parts that an agent and its sub-agents have. Files come first, so that what others do
  /// to a result is done before it is in a file.
  private void addParts(AgentBuilder builder, ThreadFiles ofThread) {
    if (hasFiles) addFiles(builder, ofThread);
    if (todos != null) builder.middleware(todos);
    if (notes != null) builder.middleware(notes);
    if (skills != null) builder.middleware(skills);
    if (!summarizes) return;
    if (summarization != null) builder.middleware(summarization);
    else if (model != null) builder.middleware(standard(model));
  }

  private static Summarization standard(ChatModel by) {
    return Summarization.by(by, Trigger.fraction(FULL), Trigger.tokens(FULL_TOKENS));
  }

  private void addFiles(AgentBuilder builder, ThreadFiles ofThread) {
    if (files == null) {
      var own = memories == null ? ofThread : ofThread.mounting(MEMORIES, memories);
      builder.middleware(own, new ResultFiles(offload, own, own.tree()));
      return;
    }
    var tree = memories == null ? files : files.mounting(MEMORIES, memories);
    builder.tools(FileTools.of(tree)).middleware(new ResultFiles(offload, null, tree));
    if (files instanceof CollectedChanges changes) {
      builder.tools(FileTools.submitChanges(changes));
    }
  }

  @Override
  public String toString() {
    return "DeepAgent[" + name + ", sub-agents " + helpers + "]";
  }
}
