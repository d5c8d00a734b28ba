package dev.superstep.acp;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.lock.Mutex;
import dev.superstep.run.Answers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks an editor the questions of one turn: by permissions, by forms, or by words in the
/// conversation. One thread asks; it may be stopped by any other.
final class Asking {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.acp");
  private static final int FORMS_MAX = 3;

  private final Served served;
  private final Session session;
  private final Updates updates;
  private final Connection connection;
  private final Questions questions;
  private final Runnable cancel;
  private final Mutex lock = new Mutex();
  private final Set<Connection.Asked> open = new HashSet<>();
  private boolean isOver;
  private boolean isUnanswered;

  Asking(Served served, Session session, Ways ways) {
    this.served = served;
    this.session = session;
    this.updates = session.updates();
    this.connection = ways.connection();
    this.questions = ways.questions();
    this.cancel = ways.cancel();
  }

  /// The ways to a person.
  ///
  /// @param cancel is called if the person cancels the turn by an answer
  record Ways(Connection connection, Questions questions, Runnable cancel) {}

  /// Ends what is asked; nothing is asked any more.
  void stop() {
    try (var _ = lock.hold()) {
      isOver = true;
      for (var asked : open) asked.giveUp("the turn is stopped");
    }
  }

  private boolean isOver() {
    try (var _ = lock.hold()) {
      return isOver;
    }
  }

  /// Asks what can be chosen; if that is nothing, says the first question.
  ///
  /// @return what was answered
  Answers ask(List<Interrupt> asked) throws InterruptedException {
    isUnanswered = false;
    var taken = new ArrayList<String>();
    var chosen = new ArrayList<Questions.Chosen>();
    for (var one : asked) questions.choices(one, taken).ifPresent(chosen::add);
    var requests = chosen.stream().map(this::request).toList();
    var answers = Answers.none();
    for (int i = 0; i < chosen.size(); i++) {
      var answer = answer(chosen.get(i), requests.get(i));
      if (answer.isPresent()) answers = answers.and(answer.get());
    }
    if (isOver() || !answers.all().isEmpty()) return answers;
    if (isUnanswered) {
      updates.said("", "(A question was not answered. It is asked again at the next message.)");
    }
    for (var one : asked) {
      if (questions.choices(one, new ArrayList<>()).isPresent()) continue;
      var filled = session.hasForms() ? filled(one) : Answers.none();
      if (isOver() || !filled.all().isEmpty()) return filled;
      updates.said("", "\n\n" + questions.text(one));
      break;
    }
    return answers;
  }

  /// Asks by a form of the editor, again if what was filled in does not fit.
  private Answers filled(Interrupt question) throws InterruptedException {
    var form = questions.form(question);
    var message = questions.words(question);
    for (int i = 0; form.isPresent() && i < FORMS_MAX; i++) {
      var content = content(form.get(), message);
      if (content.isEmpty()) break;
      var read = questions.checked(question, form.get().answer(content.get()));
      if (read.problem().isEmpty()) return Answers.json(question.id(), read.answer());
      message = read.problem().get() + "\n\n" + questions.words(question);
    }
    return Answers.none();
  }

  private Optional<JsonNode> content(AnswerForm form, String message) throws InterruptedException {
    var params = Wire.object().put("sessionId", session.id()).put("mode", "form");
    params.put("message", message).set("requestedSchema", form.schema());
    var asked = asked("elicitation/create", params);
    if (asked.isEmpty()) return Optional.empty();
    try {
      var reply = asked.get().await(served.limits().answer());
      boolean isFilled = Wire.text(reply, "action").equals("accept");
      return isFilled ? Optional.of(reply.path("content")) : Optional.empty();
    } catch (Connection.NotAnswered e) {
      LOG.debug("A form was not filled in: {}", e.why());
      return Optional.empty();
    } finally {
      closed(asked.get());
    }
  }

  private List<Optional<Connection.Asked>> request(Questions.Chosen chosen) {
    return chosen.choices().stream().map(this::request).toList();
  }

  private Optional<Connection.Asked> request(Questions.Choice choice) {
    if (choice.isOwn()) updates.calls().ask(choice.call());
    var params = Wire.object().put("sessionId", session.id());
    params.set("toolCall", choice.call());
    var options = params.putArray("options");
    for (var option : choice.options()) {
      options
          .addObject()
          .put("optionId", option.id())
          .put("name", option.name())
          .put("kind", option.kind());
    }
    return asked("session/request_permission", params);
  }

  private Optional<Connection.Asked> asked(String method, ObjectNode params) {
    try (var _ = lock.hold()) {
      if (isOver) return Optional.empty();
      var asked = connection.ask(method, params);
      open.add(asked);
      return Optional.of(asked);
    } catch (Connection.NotAnswered e) {
      LOG.warn("A question of session {} could not be asked: {}", session.id(), e.why());
      return Optional.empty();
    }
  }

  private Optional<Answers> answer(
      Questions.Chosen chosen, List<Optional<Connection.Asked>> requests)
      throws InterruptedException {
    var ids = new ArrayList<String>();
    for (int i = 0; i < requests.size(); i++) {
      var choice = chosen.choices().get(i);
      var id = requests.get(i).isEmpty() ? "" : option(choice, requests.get(i).get());
      if (choice.isOwn()) updates.calls().answered(choice.call(), !id.isEmpty());
      if (!id.isEmpty()) ids.add(id);
    }
    if (ids.size() < requests.size()) {
      isUnanswered = true;
      return Optional.empty();
    }
    return Optional.of(Answers.json(chosen.asked().id(), chosen.answer().apply(ids)));
  }

  /// The id of the option that was chosen; empty if none was.
  private String option(Questions.Choice choice, Connection.Asked asked)
      throws InterruptedException {
    try {
      var outcome = asked.await(served.limits().answer()).path("outcome");
      if (Wire.text(outcome, "outcome").equals("cancelled")) {
        cancel.run();
        return "";
      }
      var id = Wire.text(outcome, "optionId");
      boolean isOption = choice.options().stream().anyMatch(one -> one.id().equals(id));
      if (!isOption) LOG.warn("The editor chose an unknown option");
      return isOption ? id : "";
    } catch (Connection.NotAnswered e) {
      LOG.debug("A question was not answered: {}", e.why());
      return "";
    } finally {
      closed(asked);
    }
  }

  private void closed(Connection.Asked asked) {
    try (var _ = lock.hold()) {
      open.remove(asked);
    }
  }
}
