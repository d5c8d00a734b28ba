package lamps;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.RunRefused;
import dev.superstep.spring.RunStreams;
import dev.superstep.spring.Runs;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
@RequestMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
class ChatController {
  private final Runs runs;
  private final RunStreams streams;

  ChatController(Runs runs, RunStreams streams) {
    this.runs = runs;
    this.streams = streams;
  }

  @PostMapping
  SseEmitter ask(
      @PathVariable String chat,
      @RequestHeader("X-User") String user,
      @RequestBody String question) {
    return streams.of(runs.ask("support", question, thread(user, chat)));
  }

  @PostMapping("/answers")
  SseEmitter answer(
      @PathVariable String chat,
      @RequestHeader("X-User") String user,
      @RequestBody String answers) {
    return streams.of(runs.answer(thread(user, chat), runs.answers(answers)));
  }

  @GetMapping
  ResponseEntity<SseEmitter> again(
      @PathVariable String chat,
      @RequestHeader("X-User") String user,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
    return streams.follow(thread(user, chat), last);
  }

  // The header stands for whoever has signed in; take that from Spring Security.
  private static String thread(String user, String chat) {
    return "chat-" + user + "-" + chat;
  }

  @ExceptionHandler(ThreadBusy.class)
  @ResponseStatus(HttpStatus.CONFLICT)
  void busy() {}

  @ExceptionHandler(RunRefused.class)
  @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
  void stopping() {}

  @ExceptionHandler(AnswerRejected.class)
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  void badAnswer() {}
}
