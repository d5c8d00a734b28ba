package bikes;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentStream;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.RunRefused;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.run.Answers;
import dev.superstep.run.ThreadState;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// The chats of customers. A request waits for its run on a virtual thread.
@Path("/chats/{chat}")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class Chats {
  private static final Logger LOG = Logger.getLogger(Chats.class);

  record Said(String answer) {}

  record Asked(List<Open> questions) {}

  record Open(String id, String question, Json payload) {
    static Open of(Interrupt asked) {
      return new Open(asked.id(), asked.question(), asked.payload());
    }
  }

  /// @param said the last that the agent said, or empty if it has something to do or to ask
  record Chat(String said, List<Open> questions) {}

  record Piece(String task, String text) {}

  record Retracted(String task) {}

  record Ended(String how) {}

  /// Events for clients, with nothing of the state, of arguments and results of tools, or of
  /// errors.
  private record Told(String name, Json data) {
    static Optional<Told> of(Event event) {
      return switch (event) {
        case Event.TextArrived e -> told("text", new Piece(e.task(), e.piece().text()));
        case Event.NodeRetried e -> told("retracted", new Retracted(e.task()));
        case Event.InterruptRaised e when e.origin().path().isEmpty() ->
            told("question", Open.of(e.interrupt()));
        case Event.RunCompleted _ -> told("ended", new Ended("completed"));
        case Event.RunInterrupted _ -> told("ended", new Ended("waiting"));
        case Event.RunStopped _ -> told("ended", new Ended("stopped"));
        case Event.RunFailed _ -> told("ended", new Ended("failed"));
        case Event _ -> Optional.empty();
      };
    }

    private static Optional<Told> told(String name, Object data) {
      return Optional.of(new Told(name, Json.of(data)));
    }
  }

  private final Agent<String> desk;
  private final Runs runs;

  @Inject
  Chats(Agent<String> desk, Runs runs) {
    this.desk = desk;
    this.runs = runs;
  }

  @POST
  public Response ask(@RestHeader("X-User") String user, @RestPath String chat, String question)
      throws InterruptedException {
    return reply(desk.run(question, runs.options(thread(user, chat))));
  }

  @POST
  @Path("/answers")
  public Response answer(@RestHeader("X-User") String user, @RestPath String chat, String answers)
      throws InterruptedException {
    return reply(desk.resume(answers(answers), runs.options(thread(user, chat))));
  }

  @GET
  public Response chat(@RestHeader("X-User") String user, @RestPath String chat) {
    var saved = desk.graph().state(runs.options(thread(user, chat)));
    return saved.map(state -> json(200, chat(state))).orElse(json(404, new Ended("unknown")));
  }

  private Chat chat(ThreadState thread) {
    var messages = thread.state().get(desk.messages());
    var said = messages.getLast() instanceof AssistantMessage last ? last.text() : "";
    return new Chat(said, thread.questions().stream().map(Open::of).toList());
  }

  @POST
  @Path("/stream")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public void stream(
      @RestHeader("X-User") String user,
      @RestPath String chat,
      String question,
      @Context Sse sse,
      @Context SseEventSink sink)
      throws InterruptedException {
    send(desk.stream(question, runs.options(thread(user, chat))), sse, sink);
  }

  @POST
  @Path("/answers/stream")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public void answerStream(
      @RestHeader("X-User") String user,
      @RestPath String chat,
      String answers,
      @Context Sse sse,
      @Context SseEventSink sink)
      throws InterruptedException {
    send(desk.streamResume(answers(answers), runs.options(thread(user, chat))), sse, sink);
  }

  // The header stands for whoever has signed in; take that from Quarkus Security.
  private static String thread(String user, String chat) {
    return "chat-" + user + "-" + chat;
  }

  private static Answers answers(String json) {
    return Answers.json(Codec.mapOf(Json.class).decode(Json.parse(json)));
  }

  private static Response reply(AgentResult<String> result) {
    return switch (result) {
      case AgentResult.Answered<String>(var text, _) -> json(200, new Said(text));
      case AgentResult.Partial<String>(var text, _) -> json(200, new Said(text));
      case AgentResult.Waiting<String>(var questions) -> asked(questions);
      case AgentResult.Stopped<String> _ -> json(503, new Ended("stopped"));
    };
  }

  private static Response asked(List<Interrupt> questions) {
    return json(202, new Asked(questions.stream().map(Open::of).toList()));
  }

  private static Response json(int status, Object body) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON)
        .entity(Json.of(body).text())
        .build();
  }

  /// Streams a run. A client that goes away does not stop it.
  private static void send(AgentStream<String> run, Sse sse, SseEventSink sink)
      throws InterruptedException {
    var events = run.iterator();
    // A run without any event was refused: its exception becomes a status.
    if (!events.hasNext()) run.result();
    try (sink;
        run) {
      while (events.hasNext()) {
        var told = Told.of(events.next());
        if (told.isPresent()) send(told.get(), sse, sink);
      }
    } catch (CompletionException | IllegalStateException _) {
      LOG.debug("A client has gone; its run goes on.");
    }
  }

  private static void send(Told told, Sse sse, SseEventSink sink) {
    sink.send(sse.newEvent(told.name(), told.data().text())).toCompletableFuture().join();
  }

  @ServerExceptionMapper
  public Response failed(SuperstepException e) {
    int status =
        switch (e) {
          case ThreadBusy _ -> 409;
          case AnswerRejected _ -> 400;
          case MalformedJson _ -> 400;
          case RunRefused _ -> 503;
          default -> 500;
        };
    return json(status, new Ended(e.code()));
  }
}
