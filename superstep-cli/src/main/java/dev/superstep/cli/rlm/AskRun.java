package dev.superstep.cli.rlm;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentStream;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.conversation.VendorConsent;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.run.ThreadResumption;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.graph.RunOptions;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.context.FileText;
import dev.superstep.repl.trajectory.Trajectory;
import dev.superstep.run.Answers;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.terminal.privacy.SecretSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The work of `superstep rlm ask`: a question about a text that may be far larger than what a
/// model can read. The thread is stored, so that a run that was stopped or killed goes on.
public final class AskRun {
  private static final String NAME = "rlm";
  private static final String DRIVER = "superstep.rlm.driver";
  private static final String LEAF_MODEL = "superstep.rlm.leaf";

  private final Host host;
  private final AskRequest request;
  private final AskSettings settings;
  private final AskProgress progress;

  private AskRun(Host host, AskRequest request) {
    this.host = host;
    this.request = request;
    this.settings = AskSettings.of(host, request);
    this.progress = new AskProgress(host.terminal());
  }

  /// Asks, or goes on with a thread.
  ///
  /// @return the exit code
  public static int run(Host host, AskRequest request) {
    try {
      return new AskRun(host, request).run();
    } catch (IOException e) {
      throw new UncheckedIOException("The text cannot be read: " + e.getMessage(), e);
    }
  }

  /// A thread and what it works on.
  private record Job(ThreadLocation place, Path text, ModelChoice driver, ModelChoice leaf) {
    RunOptions addTo(RunOptions options) {
      return options
          .metadata(ThreadResumption.RLM_CONTEXT, text.toString())
          .metadata(DRIVER, driver.ref().url())
          .metadata(LEAF_MODEL, leaf.ref().url());
    }
  }

  private int run() throws IOException {
    if (request.resumed().isEmpty() && request.question().isBlank()) {
      throw new UsageError("usage", "QUESTION is missing.");
    }
    var name =
        request.resumed().isEmpty()
            ? ThreadNames.fresh(Path.of(NAME), host.chance())
            : ThreadNames.checked(request.resumed());
    var place = ThreadLocation.of(host, name, request.places().store());
    if (!request.resumed().isEmpty() && !Files.exists(place.store())) throw place.unknown();
    try (var store = SqliteCheckpointer.open(place.store())) {
      var job = request.resumed().isEmpty() ? begin(place) : before(place, store);
      try (var text = FileText.open(job.text());
          var driver = new ModelOpener(host).open(job.driver());
          var leaf = new ModelOpener(host).open(job.leaf())) {
        notice(
            "thread %s, model %s, %,d characters".formatted(name, driver.named(), text.length()));
        return ask(job, store, settings.agent(NAME, driver, leaf), text);
      }
    }
  }

  private Job begin(ThreadLocation place) throws IOException {
    var driver = settings.driver(request.models().driver());
    var leaf = settings.leaf(request.models().leaf(), driver);
    consent(driver);
    consent(leaf);
    var text = new AskContext(host, copy(place)).file(request.contexts());
    return new Job(resumable(place, driver, leaf), text, driver, leaf);
  }

  private Job before(ThreadLocation place, Checkpointer store) throws IOException {
    var latest = store.latest(Lineage.of(place.thread())).orElseThrow(place::unknown);
    var metadata = latest.checkpoint().metadata();
    if (!metadata.containsKey(ThreadResumption.RLM_CONTEXT)) {
      throw new UsageError(
          "thread.not-rlm",
          "Thread `%s` was not begun by `%s rlm ask`.".formatted(place.thread(), host.command()));
    }
    var driver = ModelChoice.forResume(host, request.models().driver(), value(metadata, DRIVER));
    var leaf = ModelChoice.forResume(host, request.models().leaf(), value(metadata, LEAF_MODEL));
    consent(driver);
    consent(leaf);
    var text = stored(value(metadata, ThreadResumption.RLM_CONTEXT));
    return new Job(resumable(place, driver, leaf), text, driver, leaf);
  }

  /// The text that a thread names. Whoever wrote the store may have named any file, so one outside
  /// of the current directory has to be named by the user as well.
  private Path stored(String name) throws IOException {
    var text = host.path(name);
    if (!Files.isRegularFile(text)) {
      throw new UsageError("context.missing", "The text of the thread is gone: " + text + ".");
    }
    boolean isNamed = request.contexts().stream().map(host::path).anyMatch(text::equals);
    if (isNamed || text.toRealPath().startsWith(host.folder().toRealPath())) return text;
    throw new UsageError(
        "context.not-agreed",
        "The thread reads %s, which is outside of this directory. If that is meant: --context %s"
            .formatted(text, ShellText.word(text.toString())));
  }

  private static String value(Map<String, String> metadata, String key) {
    return metadata.getOrDefault(key, "");
  }

  private Path copy(ThreadLocation place) {
    return place.store().resolveSibling("contexts").resolve(place.thread() + ".txt");
  }

  private ThreadLocation resumable(ThreadLocation place, ModelChoice driver, ModelChoice leaf) {
    var store = request.places().store().map(file -> " --store " + ShellText.word(file)).orElse("");
    var models = trusted("--model", driver) + trusted("--leaf-model", leaf);
    var command = host.command() + " rlm ask --resume " + ShellText.word(place.thread());
    return new ThreadLocation(place.thread(), place.store(), command + store + models);
  }

  private static String trusted(String option, ModelChoice choice) {
    var url = choice.ref().url();
    return ModelChoice.needsTrust(choice.ref()) ? " " + option + " " + ShellText.word(url) : "";
  }

  private void consent(ModelChoice choice) {
    VendorConsent.require(
        host,
        choice.ref(),
        "the question and texts of %s",
        question -> request.consents() || agrees(question));
  }

  private boolean agrees(String question) {
    if (!host.terminal().asks()) return false;
    return host.terminal().ask(question + " [yes/no] ").filter("yes"::equals).isPresent();
  }

  private int ask(Job job, Checkpointer store, Agent<String> agent, FileText text)
      throws IOException {
    var options =
        job.addTo(RunOptions.defaults())
            .on(job.place().thread(), store)
            .with(ReplAgent.CONTEXT, text)
            .clock(host.clock());
    try {
      var stream =
          request.resumed().isEmpty()
              ? agent.stream(request.question(), options)
              : agent.streamResume(Answers.none(), options);
      var result = follow(stream);
      progress.end(host.clock().instant());
      int exit = end(result, job);
      keep(agent, options);
      if (exit == ExitCodes.COMPLETED) Files.deleteIfExists(copy(job.place()));
      return exit;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(e, job);
    } catch (RuntimeException e) {
      keep(agent, options);
      return failed(e, job);
    }
  }

  private int failed(Exception error, Job job) {
    progress.clear();
    return new PlainOutput(host.terminal(), request.debug())
        .failed(error, Optional.of(job.place()));
  }

  private AgentResult<String> follow(AgentStream<String> stream) throws InterruptedException {
    try (stream) {
      host.stop().runStarted(stream.run(), () -> notice("ends after what is running now"));
      for (var event : stream) progress.on(event);
      return stream.result();
    } finally {
      host.stop().runEnded(() -> {});
    }
  }

  private int end(AgentResult<String> result, Job job) {
    return switch (result) {
      case AgentResult.Answered(var answer, _) -> {
        host.terminal().out().println(SafeText.of(answer).stripTrailing());
        host.terminal().out().flush();
        yield ExitCodes.COMPLETED;
      }
      case AgentResult.Partial(var said, _) -> {
        host.terminal().out().println(SafeText.of(said).stripTrailing());
        host.terminal().out().flush();
        notice("ended at a limit without an answer");
        yield ExitCodes.BUDGET;
      }
      case AgentResult.Waiting<String> _, AgentResult.Stopped<String> _ -> {
        notice("stopped; finished work is saved; resume with: " + job.place().resume());
        yield ExitCodes.INTERRUPTED;
      }
    };
  }

  /// Writes the cells that ran, if they are wanted, without secrets.
  private void keep(Agent<String> agent, RunOptions options) throws IOException {
    if (request.places().trajectory().isEmpty()) return;
    var folder = host.path(request.places().trajectory().get());
    var state = agent.graph().state(options);
    if (state.isEmpty()) return;
    Trajectory.of(state.get().state())
        .redacted(SecretSources.of(host.variables()).redactor())
        .write(folder);
    notice("the cells are in " + folder);
  }

  private void notice(String text) {
    progress.clear();
    host.terminal().err().println("superstep: " + SafeText.line(text));
    host.terminal().err().flush();
  }
}
