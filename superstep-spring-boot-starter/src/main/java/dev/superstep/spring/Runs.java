package dev.superstep.spring;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.event.EventListener;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.graph.Threads;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import java.security.Principal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the agents and graphs that an application declares as beans, with its store, its long-term
/// memory, its drain and its listeners. A run that is started goes on in the background, whoever
/// listens. Safe for many threads.
///
/// ```java
/// @PostMapping("/chats/{chat}")
/// SseEmitter ask(@PathVariable String chat, @RequestBody String question, Principal user) {
///   return streams.of(runs.ask("support", question, user.getName() + "-" + chat));
/// }
/// ```
///
/// Whoever names a thread reads and continues it: make its name of who has signed in, not of the
/// request alone.
///
/// A run that is started or continued in a request of Spring MVC works for the signed-in user: they
/// are its [RunPrincipal], by whose credentials its tools act. Elsewhere, use [#actingFor].
public final class Runs {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  private final Checkpointer store;
  private final RunOptions options;
  private final Supplier<DeclaredGraphs> declared;
  private final PrincipalSource principals;
  private final RunFeeds feeds;

  Runs(
      Checkpointer store,
      RunOptions options,
      Supplier<DeclaredGraphs> declared,
      PrincipalSource principals) {
    this(store, options, declared, principals, new RunFeeds());
  }

  private Runs(
      Checkpointer store,
      RunOptions options,
      Supplier<DeclaredGraphs> declared,
      PrincipalSource principals,
      RunFeeds feeds) {
    this.store = store;
    this.options = options;
    this.declared = declared;
    this.principals = principals;
    this.feeds = feeds;
  }

  /// The options of all runs.
  static RunOptions options(
      RunOptions base, SuperstepProperties.JournalSettings journal, List<EventListener> listeners) {
    var options = base;
    if (journal.enabled()) {
      options = options.journal(journal.content() ? Redaction.none() : Redaction.payloads());
    }
    for (var listener : listeners) options = options.listener(listener);
    return options;
  }

  /// Returns a copy whose runs work for a person, whatever the current request says.
  public Runs actingFor(RunPrincipal principal) {
    return new Runs(store, options, declared, () -> Optional.of(principal), feeds);
  }

  /// Returns a copy whose runs work for a user, by their name: for requests of WebFlux, and for
  /// threads of your own.
  ///
  /// @throws IllegalArgumentException if the user has no name
  public Runs actingFor(Principal user) {
    var name = Objects.requireNonNullElse(user.getName(), "");
    return actingFor(new RunPrincipal(name));
  }

  /// The names of all graphs and agents.
  public Set<String> names() {
    return declared.get().graphs().keySet();
  }

  /// The graph of this name, or that of the agent of this name.
  ///
  /// @throws UnknownRun if no bean has the name
  public Graph graph(String name) {
    return declared.get().graph(name);
  }

  /// The agent of this name.
  ///
  /// @throws UnknownRun if no bean has the name
  public Agent<?> agent(String name) {
    return declared.get().agent(name);
  }

  /// The options of a run on a thread in the store of the application, for the methods of graphs
  /// and agents. The run works for the user of the current request, if there is one.
  public RunOptions options(String thread) {
    var here = options.on(thread, store);
    // Who it is must not be stored; that it is somebody tells others not to go on without them.
    return principals
        .current()
        .map(principal -> principal.in(here).metadata(LeftRuns.PERSONAL, "yes"))
        .orElse(here);
  }

  /// Runs a graph, and waits for its end.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public Outcome invoke(String graph, Input input, String thread) throws InterruptedException {
    return graph(graph).invoke(input, options(thread));
  }

  /// Asks an agent, and waits for its answer.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public <A> AgentResult<A> run(Agent<A> agent, String question, String thread)
      throws InterruptedException {
    return agent.run(question, options(thread));
  }

  /// Starts a run of a graph. Returns once it has begun.
  ///
  /// @throws UnknownRun if no bean has the name
  /// @throws dev.superstep.checkpoint.ThreadBusy if another run is at work on the thread
  /// @throws dev.superstep.error.RunRefused if the application is stopping
  public StartedRun start(String graph, Input input, String thread) {
    var feed = new RunFeed();
    return begun(graph(graph).stream(input, options(thread).listener(feed)), thread, feed);
  }

  /// Starts a question to an agent. Returns once it has begun.
  ///
  /// @throws UnknownRun if no bean has the name
  /// @throws dev.superstep.checkpoint.ThreadBusy if another run is at work on the thread
  /// @throws dev.superstep.error.RunRefused if the application is stopping
  public StartedRun ask(String agent, String question, String thread) {
    var text = Objects.requireNonNull(question, "the question must not be null");
    return start(agent, agent(agent).input(List.of(Message.user(text))), thread);
  }

  /// Starts to resume a thread with answers to its questions. Returns once it has begun.
  ///
  /// @throws UnknownRun if nothing is saved of the thread, or no bean has its graph
  /// @throws dev.superstep.error.AnswerRejected if an answer does not fit its question
  /// @throws dev.superstep.checkpoint.ThreadBusy if another run is at work on the thread
  /// @throws dev.superstep.error.RunRefused if the application is stopping
  public StartedRun answer(String thread, Answers answers) {
    var feed = new RunFeed();
    var graph = graphOf(thread);
    return begun(graph.streamResume(answers, options(thread).listener(feed)), thread, feed);
  }

  /// Starts to resume a thread whose run was killed, stopped, or failed. Returns once it has begun.
  ///
  /// @throws UnknownRun if nothing is saved of the thread, or no bean has its graph
  /// @throws dev.superstep.checkpoint.ThreadBusy if another run is at work on the thread
  /// @throws dev.superstep.error.RunRefused if the application is stopping
  public StartedRun resume(String thread) {
    return answer(thread, Answers.none());
  }

  /// Reads answers as a client sends them: a JSON object with an answer for each id of a question.
  ///
  /// @throws dev.superstep.json.MalformedJson if the text is something else
  public Answers answers(String json) {
    return Answers.json(Codec.mapOf(Json.class).decode(Json.parse(json)));
  }

  /// The open questions of a thread.
  public List<Interrupt> questions(String thread) {
    return Threads.in(store).find(thread).isEmpty()
        ? List.of()
        : graphOf(thread).state(options(thread)).map(ThreadState::questions).orElse(List.of());
  }

  /// The runs that ended with their process, or were drained: nobody is at work on them, and they
  /// wait for nobody.
  ///
  /// @param threads how many threads are looked at, the most recently written first
  public List<LeftRun> left(int threads) {
    return leftRuns().find(threads);
  }

  /// The run of a thread that its process left, or empty if there is none: somebody is at work on
  /// it, it waits for an answer, or nothing is left to do.
  public Optional<LeftRun> left(String thread) {
    return leftRuns().find(thread);
  }

  LeftRuns leftRuns() {
    return new LeftRuns(store, names());
  }

  Checkpointer store() {
    return store;
  }

  RunFeeds feeds() {
    return feeds;
  }

  private Graph graphOf(String thread) {
    var summary = Threads.in(store).find(thread);
    if (summary.isEmpty()) throw UnknownRun.thread(thread);
    return graph(summary.get().checkpoint().graph());
  }

  private StartedRun begun(RunStream stream, String thread, RunFeed feed) {
    boolean hasBegun = stream.iterator().hasNext();
    stream.close();
    if (!hasBegun) throw failure(stream);
    feeds.put(thread, feed);
    Thread.ofVirtual().name("superstep-outcome").start(() -> watch(stream, thread, feed));
    return new StartedRun(thread, stream, feed);
  }

  /// A run without any event has failed before it began.
  private static RuntimeException failure(RunStream stream) {
    try {
      return new IllegalStateException("The run ended before it began: " + stream.outcome());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException("Interrupted while a run began.", e);
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static void watch(RunStream stream, String thread, RunFeed feed) {
    try {
      stream.outcome();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SuperstepException e) {
      LOG.warn("The run on the thread {} failed with {}.", thread, e.code(), e);
      feed.fail(e.code());
    } catch (RuntimeException | Error e) {
      LOG.warn("The run on the thread {} failed.", thread, e);
      feed.fail("unexpected");
    }
  }

  @Override
  public String toString() {
    return "Runs[" + store + "]";
  }
}
