package dev.superstep.cli.chat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.run.ModelNotices;
import dev.superstep.cli.run.ProgramRun;
import dev.superstep.cli.run.ThreadResumption;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.graph.RunOptions;
import dev.superstep.program.AgentProgram;
import dev.superstep.program.ProgramContext;
import dev.superstep.tool.Tools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The agent that a conversation is with: that of a program's folder, or a plain one. Closing it
/// closes its model and its tools. One thread at a time.
final class ChatPartner implements AutoCloseable {
  private static final String PLAIN = "chat";

  private final Host host;
  private final @Nullable Folder folder;
  private final ModelChoice choice;
  private final OpenModel model;
  private final FolderTools tools;

  private ChatPartner(
      Host host, FolderTools tools, @Nullable Folder folder, ModelChoice choice, OpenModel model) {
    this.host = host;
    this.tools = tools;
    this.folder = folder;
    this.choice = choice;
    this.model = model;
  }

  /// A program's folder.
  ///
  /// @param typed as the user wrote it
  private record Folder(
      String typed, ProgramFolder folder, LoadedProgram loaded, AgentProgram program) {}

  /// Opens what the request names.
  ///
  /// @param before the metadata of the thread; empty for a new one
  /// @param notice prints something about the folder
  /// @throws UsageError if the folder has no agent, or the thread was begun by another program
  static ChatPartner open(
      Host host,
      ChatRequest request,
      Optional<Map<String, String>> before,
      Consumer<String> notice) {
    if (request.folder().isEmpty()) {
      return plain(host, tools(host, host.folder(), request, notice), request, before);
    }
    var typed = request.folder().get();
    var path = host.path(typed);
    if (RagFolder.find(path).isPresent()) {
      throw new UsageError(
          "chat.no-agent",
          "%s is a graph as text, which is no agent to talk to. Run it: %s run %s"
              .formatted(path, host.command(), ShellText.word(typed)));
    }
    var folder = ProgramFolder.open(path);
    folder.notices().forEach(notice);
    var manifest = before.map(known -> manifest(known, folder, request));
    var loaded = LoadedProgram.of(folder);
    try {
      if (!(loaded.program() instanceof AgentProgram program)) {
        throw new UsageError(
            "chat.no-agent",
            "Program `%s` in %s is no agent to talk to; it would have to implement %s. Run it: %s run %s"
                .formatted(
                    folder.programClass(),
                    path,
                    AgentProgram.class.getName(),
                    host.command(),
                    ShellText.word(typed)));
      }
      var opener = new ModelOpener(host, loaded.loader());
      var choice =
          manifest
              .filter(known -> !known.isReplaced())
              .map(known -> ModelChoice.forResume(host, request.model(), known.model()))
              .orElseGet(() -> ModelChoice.forRun(host, request.model(), folder.model()));
      boolean isReplaced = manifest.filter(RunManifest::isReplaced).isPresent();
      var model =
          isReplaced && request.model().isEmpty()
              ? opener.replacedBefore(manifest.get().source(), folder, Path.of(""))
              : opener.open(choice, folder, Path.of(""));
      var tools = tools(host, folder.root(), request, notice);
      var whole = new Folder(typed, folder, loaded, program);
      return new ChatPartner(host, tools, whole, choice, model);
    } catch (RuntimeException e) {
      loaded.close();
      throw e;
    }
  }

  private static FolderTools tools(
      Host host, Path folder, ChatRequest request, Consumer<String> notice) {
    boolean asks = host.terminal().asks() && !request.looks().events().json();
    return request.servers()
        ? FolderTools.of(host, folder, asks, notice)
        : FolderTools.none(host, folder);
  }

  private static RunManifest manifest(
      Map<String, String> before, ProgramFolder folder, ChatRequest request) {
    var thread = request.thread().orElse("");
    if (before.containsKey(ThreadResumption.CHAT)) throw other(thread, "a plain agent");
    var manifest = RunManifest.of(thread, before);
    if (!manifest.program().equals(folder.root())) {
      throw other(thread, "the program in " + manifest.program());
    }
    return manifest;
  }

  private static UsageError other(String thread, String whom) {
    return new UsageError(
        "thread.other-program",
        "Thread `%s` is a conversation with %s. Name that, or another thread."
            .formatted(thread, whom));
  }

  private static ChatPartner plain(
      Host host, FolderTools tools, ChatRequest request, Optional<Map<String, String>> before) {
    var known = before.map(metadata -> metadata.get(ThreadResumption.CHAT));
    if (before.isPresent() && known.isEmpty()) {
      var thread = request.thread().orElse("");
      throw other(thread, "the program in " + RunManifest.of(thread, before.get()).program());
    }
    var choice =
        known
            .map(url -> ModelChoice.forResume(host, request.model(), url))
            .orElseGet(() -> ModelChoice.forRun(host, request.model(), Optional.empty()));
    return new ChatPartner(host, tools, null, choice, new ModelOpener(host).open(choice));
  }

  /// Says who answers.
  void announce(Consumer<String> notice, String thread) {
    ModelNotices.print(notice, host, thread, choice, model);
  }

  /// Makes the agent for a thread.
  Agent<?> agent(String thread) {
    if (folder != null) {
      var context = new ProgramContext(model.model(), output(thread), tools::tools);
      return folder.program().agent(context);
    }
    return Agent.named(PLAIN)
        .model(model.model())
        .instructions("Be helpful and brief.")
        .tools(Tools.of(tools.agreed()))
        .build();
  }

  /// The options by which a thread knows whom it is with.
  RunOptions addTo(RunOptions options, String thread) {
    if (folder == null) return options.metadata(ThreadResumption.CHAT, model.named().url());
    return manifest(thread).addTo(options);
  }

  /// The data that a thread keeps of it.
  RunManifest manifest(String thread) {
    var root = folder == null ? Path.of("") : folder.folder().root();
    return new RunManifest(root, Path.of(""), output(thread), "", "", Optional.empty())
        .withModel(model);
  }

  /// The URL of the model that the user has to name again to resume; empty for none.
  Optional<String> trusted() {
    boolean isReplaced = model.isReplacement(choice) || model.source().equals(OpenModel.WRITTEN);
    boolean isTrusted = !isReplaced && ModelChoice.needsTrust(model.named());
    return isTrusted ? Optional.of(choice.ref().url()) : Optional.empty();
  }

  private Path output(String thread) {
    return ProgramRun.output(host, thread);
  }

  /// The name for new threads.
  Path name() {
    return folder == null ? Path.of(PLAIN) : folder.folder().root();
  }

  /// A question in the program's words.
  String words(Interrupt question) {
    return folder == null ? question.payload().text() : folder.program().ask(question);
  }

  /// The arguments by which the user names it again.
  List<String> arguments() {
    var words = new ArrayList<String>();
    if (folder != null) words.add(folder.typed());
    trusted().ifPresent(url -> words.addAll(List.of("--model", url)));
    return words;
  }

  /// The metadata by which its threads are found.
  Map.Entry<String, String> mark() {
    return folder == null
        ? Map.entry(ThreadResumption.CHAT, model.named().url())
        : RunManifest.mark(folder.folder().root());
  }

  @Override
  public void close() {
    tools.close();
    model.close();
    if (folder != null) folder.loaded().close();
  }
}
