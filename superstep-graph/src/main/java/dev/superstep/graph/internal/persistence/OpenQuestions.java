package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.internal.kernel.ApprovalReceipts;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The questions of a thread that wait for answers, found by id and by name. Immutable.
public final class OpenQuestions {
  private final String thread;
  private final CheckpointWriter.LoadedCheckpoint loaded;
  private final List<Interrupt> all;
  private final Map<String, Interrupt> byId = new HashMap<>();
  private final Map<String, List<Interrupt>> byName = new HashMap<>();

  public OpenQuestions(
      String thread, CheckpointWriter.LoadedCheckpoint loaded, List<Interrupt> all) {
    this.thread = thread;
    this.loaded = loaded;
    this.all = all;
    for (var open : all) {
      byId.putIfAbsent(open.id(), open);
      byName.computeIfAbsent(open.question(), _ -> new ArrayList<>()).add(open);
    }
  }

  /// The question that an answer is for: the one with its id, or the only open one of its name.
  ///
  /// @throws AnswerRejected if there is none, or if there are several
  public Interrupt addressed(Answer answer) {
    var known = byId.get(answer.interrupt());
    if (known != null) return known;
    var named = byName.getOrDefault(answer.interrupt(), List.of());
    if (named.size() == 1) return named.getFirst();
    if (named.isEmpty()) throw unknown(answer);
    throw new AnswerRejected(
        answer.interrupt(),
        "there are %s open questions of that name; use one of their ids: %s."
            .formatted(named.size(), ids(named)),
        null);
  }

  /// The receipts of the approvals among some answers.
  ///
  /// @param answers by the ids of their questions
  public List<Answer> receipts(List<Answer> answers, CompiledGraph graph, Instant now) {
    var receipts = new ArrayList<Answer>();
    for (var answer : answers) {
      var interrupt = addressed(answer);
      var question = graph.question(interrupt.question());
      if (question != null && question.isApproval()) {
        receipts.add(ApprovalReceipts.given(interrupt, thread, now));
      }
    }
    return receipts;
  }

  private AnswerRejected unknown(Answer answer) {
    var why =
        loaded.answers().containsKey(answer.interrupt())
            ? "it was answered before."
            : "the thread has no such open question. Open: " + ids(all) + ".";
    return new AnswerRejected(answer.interrupt(), why, null);
  }

  private static List<String> ids(List<Interrupt> some) {
    return some.stream().map(Interrupt::id).toList();
  }
}
