package dev.superstep.acp;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.TodoList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells an editor of a run while it runs. For one turn and one thread.
final class TurnEvents {
  private static final Codec<Message> MESSAGE = Codec.of(Message.class);

  private final Source source;
  private final Updates updates;

  /// Texts that came in pieces, by the message that the pieces make.
  private final Map<String, StringBuilder> pieces = new HashMap<>();

  private final Set<String> told = new HashSet<>();
  private String reason = StopReasons.END_TURN;
  private Budget.@Nullable Limit budget;

  TurnEvents(Source source, Updates updates) {
    this.source = source;
    this.updates = updates;
  }

  /// Why the newest agent of the conversation ended.
  String reason() {
    return reason;
  }

  void on(Event event) {
    switch (event) {
      case Event.TextArrived said when source.isSpoken(said.origin().path()) -> {
        var message = "%s:%d:%d".formatted(said.task(), said.attempt(), said.piece().call());
        pieces.computeIfAbsent(message, _ -> new StringBuilder()).append(said.piece().text());
        updates.said(message, said.piece().text());
      }
      case Event.NodeEmitted emitted when emitted.name().equals(EditorTerminal.EVENT) -> {
        var begun = EditorTerminal.begun(emitted.payload());
        updates.calls().runs(scope(emitted.origin()), begun.call(), begun.terminal());
      }
      case Event.NodeEmitted emitted ->
          AgentEvent.of(emitted).ifPresent(found -> on(emitted, found));
      case Event.NodeUpdated wrote -> wrote(wrote);
      case Event.StepFinished step when step.origin().path().isEmpty() -> pieces.clear();
      case Event _ -> {}
    }
  }

  private void on(Event.NodeEmitted emitted, AgentEvent event) {
    var origin = emitted.origin();
    var calls = updates.calls();
    switch (event) {
      case AgentEvent.ModelDelta delta
          when delta.what() == AgentEvent.ModelDelta.What.THINKING
              && source.isSpoken(origin.path()) ->
          updates.thought(emitted.task() + ":thought:" + delta.call(), delta.text());
      case AgentEvent.ToolStarted tool -> calls.started(scope(origin), tool.call());
      case AgentEvent.ToolProgress tool -> calls.progress(scope(origin), tool.call(), tool.text());
      case AgentEvent.BudgetExceeded over -> budget = over.limit();
      case AgentEvent.AgentCompleted done when source.isSpoken(origin.path()) -> {
        boolean isBudget = done.reason() == StopReason.BUDGET_LIMIT;
        reason =
            isBudget && budget != null ? StopReasons.of(budget) : StopReasons.of(done.reason());
      }
      case AgentEvent _ -> {}
    }
  }

  private static String scope(Origin origin) {
    return String.join("/", origin.path());
  }

  // --- Messages ---

  private void wrote(Event.NodeUpdated wrote) {
    int unnamed = 0;
    for (var write : wrote.writes()) {
      if (!(write instanceof SavedWrite.Put(var channel, var value))) continue;
      var message = message(value);
      if (message.isPresent()) {
        var id = message.get().id();
        boolean isNamed = !id.isEmpty();
        on(wrote, message.get().withId(isNamed ? id : Graph.idOfWrite(wrote.task(), unnamed)));
        if (!isNamed) unnamed++;
      } else if (channel.equals(TodoList.TODOS.name()) && source.isSpoken(wrote.origin().path())) {
        updates.plan(TodoList.TODOS.writes().decode(value));
      }
    }
  }

  private static Optional<Message> message(Json value) {
    if (!value.text().contains("Message\"")) return Optional.empty();
    try {
      return Optional.of(MESSAGE.decode(value));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  private void on(Event.NodeUpdated wrote, Message message) {
    var scope = scope(wrote.origin());
    switch (message) {
      case AssistantMessage said when told.add(said.id()) -> {
        boolean isSpoken = source.isSpoken(wrote.origin().path());
        if (isSpoken && !wasStreamed(said.text())) updates.said(said.id(), said.text());
        for (var call : said.calls()) updates.calls().announce(scope, call);
      }
      case ToolMessage result -> updates.calls().ended(scope, result);
      case Message _ -> {}
    }
  }

  private boolean wasStreamed(String text) {
    return pieces.values().stream().anyMatch(said -> said.toString().equals(text));
  }

  /// Notes that this was told before, in the replay of the conversation.
  void known(List<Message> messages) {
    for (var message : messages) told.add(message.id());
  }
}
