package dev.superstep.cli.eval;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.eval.RecordedCases;
import dev.superstep.eval.Subject;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Digests;
import dev.superstep.model.ChatModel;
import dev.superstep.model.RecordingModel;
import dev.superstep.program.AgentProgram;
import dev.superstep.program.ProgramContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The program of a folder that is evaluated. Closing it ends what it opened.
final class EvalTarget implements AutoCloseable {
  private final Path root;
  private final Subject subject;
  private final Recorder recorder;
  private final Judges judges;
  private final ClassLoader loader;
  private final List<String> notices;
  private final List<AutoCloseable> open;
  private final Function<String, ChatModel> typed;

  private EvalTarget(Path root, Subject subject, Recorder recorder, Parts parts) {
    this.root = root;
    this.subject = subject;
    this.recorder = recorder;
    this.judges = parts.judges();
    this.loader = parts.loader();
    this.notices = List.copyOf(parts.notices());
    this.open = parts.open();
    this.typed =
        url -> opened(parts.opener(), ModelChoice.of(url, ModelChoice.From.OPTION), parts.open());
  }

  private record Parts(
      ModelOpener opener,
      Judges judges,
      ClassLoader loader,
      List<String> notices,
      List<AutoCloseable> open) {}

  /// Makes a case of a thread.
  @FunctionalInterface
  interface Recorder {
    Case of(Checkpointer store, String thread);
  }

  /// Opens a model of a judge.
  @FunctionalInterface
  interface Judges {
    ChatModel open(Optional<String> url);
  }

  /// Opens the program or the text of a folder.
  ///
  /// @param model the URL of the model, if the user names one
  /// @param recording the file to which replies are recorded, if the user names one
  static EvalTarget open(Host host, Path path, Optional<String> model, Optional<Path> recording) {
    var text = RagFolder.find(path);
    var open = new ArrayList<AutoCloseable>();
    try {
      return text.isPresent()
          ? ofText(host, text.get(), model, open)
          : ofProgram(host, ProgramFolder.open(path), new Models(model, recording), open);
    } catch (RuntimeException | Error e) {
      close(open);
      throw e;
    }
  }

  private record Models(Optional<String> named, Optional<Path> recording) {}

  private static EvalTarget ofProgram(
      Host host, ProgramFolder folder, Models models, List<AutoCloseable> open) {
    var loaded = LoadedProgram.of(folder);
    open.add(loaded);
    var opener = new ModelOpener(host, loaded.loader());
    var choice = ModelChoice.forRun(host, models.named(), folder.model());
    var chosen = opener.open(choice, folder, folder.input().orElse(Path.of("")));
    open.add(chosen);
    var model = recorded(host, chosen.model(), models.recording(), open);
    var tools = tools(host, folder.root(), open);
    var context = new ProgramContext(model, host.folder().resolve("superstep-out"), tools::tools);
    var program = loaded.program();
    var version = Digests.of(chosen.named().url() + "\n" + digest(folder));
    var notices = new ArrayList<>(folder.notices());
    notices.add("model " + chosen.named() + " (" + choice.from().title() + ")");
    var parts =
        new Parts(
            opener,
            url -> url.isEmpty() ? model : judge(opener, url, open),
            loaded.loader(),
            notices,
            open);
    var name = String.valueOf(folder.root().getFileName());
    if (program instanceof AgentProgram agents) {
      var agent = agents.agent(context);
      var subject = Subject.agent(agent).withName(name).withVersion(version);
      Recorder recorder = (store, thread) -> RecordedCases.in(store).of(agent, thread);
      return new EvalTarget(folder.root(), subject, recorder, parts);
    }
    var graph = program.graph(context);
    var inputs = new ProgramInputs(program);
    var subject =
        Subject.graph(graph, inputs::input, program::output).withName(name).withVersion(version);
    Recorder recorder =
        (store, thread) ->
            RecordedCases.in(store)
                .of(graph, thread, first -> inputs.recorded(graph, first), program::output);
    return new EvalTarget(folder.root(), subject, recorder, parts);
  }

  private static ChatModel recorded(
      Host host, ChatModel model, Optional<Path> file, List<AutoCloseable> open) {
    if (file.isEmpty()) return model;
    var recording = RecordingModel.open(file.get(), model, "superstep eval", host.clock());
    // Before the model that it asks.
    open.addFirst(recording);
    return recording;
  }

  private static ChatModel judge(
      ModelOpener opener, Optional<String> url, List<AutoCloseable> open) {
    var choice = ModelChoice.forConfig(Path.of("eval.toml"), url.orElseThrow(), "--judge");
    return opened(opener, choice, open);
  }

  private static ChatModel opened(
      ModelOpener opener, ModelChoice choice, List<AutoCloseable> open) {
    var opened = opener.open(choice);
    open.add(opened);
    return opened.model();
  }

  /// The tools of the MCP servers for a folder. Nobody is asked: they are confirmed before.
  private static FolderTools tools(Host host, Path folder, List<AutoCloseable> open) {
    var err = host.terminal().err();
    var tools = FolderTools.of(host, folder, false, text -> err.println(SafeText.of(text)));
    open.add(tools);
    return tools;
  }

  private static EvalTarget ofText(
      Host host, RagFolder folder, Optional<String> option, List<AutoCloseable> open) {
    var read = TextProgram.read(folder, "");
    var models = NamedModels.forRun(host, folder, read.models(), option);
    var program = read.bound(models, tools(host, folder.root(), open)::having);
    open.add(program);
    program.checkWithinLimits();
    var subject =
        Subject.graph(program.graph(), program::input, program::output)
            .withName(program.name())
            .withVersion(Digests.of(program.hash() + "\n" + models.label()))
            .withOptions(program::options);
    Recorder recorder =
        (store, thread) ->
            RecordedCases.in(store).of(program.graph(), thread, program::inputOf, program::output);
    var opener = new ModelOpener(host);
    Judges judges =
        url ->
            url.isEmpty() && models.models().size() == 1
                ? models.models().values().iterator().next()
                : judge(opener, Optional.of(url.orElseThrow(EvalTarget::noJudge)), open);
    var loader = EvalTarget.class.getClassLoader();
    return new EvalTarget(
        folder.root(), subject, recorder, new Parts(opener, judges, loader, program.reach(), open));
  }

  private static UsageError noJudge() {
    return new UsageError(
        "eval.no-judge",
        "The text has several models, or none. Name that of the judge in eval.toml: model ="
            + " \"URL\".");
  }

  /// The digest of everything of a folder that decides what its program does.
  private static String digest(ProgramFolder folder) {
    var text = new StringBuilder(folder.programClass());
    var files = new ArrayList<>(folder.classes());
    folder.replies().ifPresent(files::add);
    folder.recording().ifPresent(recording -> files.add(recording.replies()));
    for (var file : files) digest(file, text);
    return text.toString();
  }

  private static void digest(Path path, StringBuilder text) {
    try (var all = Files.walk(path)) {
      for (var file : all.filter(Files::isRegularFile).sorted().toList()) {
        text.append('\n').append(path.relativize(file)).append(' ');
        text.append(Digests.of(Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Files of " + path + " cannot be read.", e);
    }
  }

  Path root() {
    return root;
  }

  Subject subject() {
    return subject;
  }

  Case recorded(Checkpointer store, String thread) {
    return recorder.of(store, thread);
  }

  ChatModel judge(Optional<String> url) {
    return judges.open(url);
  }

  /// Opens the model that the user names for all judges.
  ChatModel typedJudge(String url) {
    return typed.apply(url);
  }

  ClassLoader loader() {
    return loader;
  }

  List<String> notices() {
    return notices;
  }

  @Override
  public void close() {
    close(open);
  }

  private static void close(List<AutoCloseable> open) {
    for (var one : open) {
      try {
        one.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("the program cannot be closed", e);
      }
    }
  }
}
