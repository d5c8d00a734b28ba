package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Receipts of approvals, stored among the answers of a thread: each says on which thread, for what
/// and when an approval was given. One that has lapsed is marked, so that a replay sees the same.
public final class ApprovalReceipts {
  /// No id of a question has it.
  private static final String MARK = "~";

  private static final String RECEIPT = MARK + "for";
  private static final String LAPSED = MARK + "lapsed";
  private static final Codec<Receipt> CODEC = Codec.of(Receipt.class);

  private ApprovalReceipts() {}

  /// @param digest of the payload of the question
  private record Receipt(String thread, String digest, Instant at) {}

  /// Returns whether this is an answer, and no receipt of one.
  public static boolean isAnswer(Answer answer) {
    return !answer.interrupt().contains(MARK);
  }

  /// The receipt of an approval that is given now.
  public static Answer given(Interrupt question, String thread, Instant now) {
    var receipt = new Receipt(thread, digest(question.payload()), now);
    return new Answer(question.id() + RECEIPT, CODEC.encode(receipt));
  }

  /// The marks of approvals that do not count any more: too old, or given on another thread, of
  /// which this one is a copy.
  ///
  /// @param answers by interrupt id
  public static List<Answer> lapsed(
      Map<String, Json> answers, String thread, Instant now, Duration most) {
    var lapsed = new ArrayList<Answer>();
    answers.forEach((id, value) -> {
      if (!id.endsWith(RECEIPT)) return;
      var mark = id.substring(0, id.length() - RECEIPT.length()) + LAPSED;
      var receipt = CODEC.decode(value);
      boolean holds = receipt.thread().equals(thread) && now.isBefore(receipt.at().plus(most));
      if (!holds && !answers.containsKey(mark)) lapsed.add(new Answer(mark, Json.of(true)));
    });
    return lapsed;
  }

  /// Returns whether the answer to a question counts for what is asked now.
  ///
  /// @param id of the question
  public static <P> boolean holds(
      String id, Question<P, ?> question, P payload, Map<String, Json> answers) {
    var receipt = answers.get(id + RECEIPT);
    // An approval answers no other question that took its place, such as when it is needed no more.
    if (!question.isApproval()) return receipt == null;
    if (receipt == null || answers.containsKey(id + LAPSED)) return false;
    return CODEC.decode(receipt).digest().equals(digest(question.payload().encode(payload)));
  }

  /// The time at which the answer to a question was given; null if it has no receipt.
  public static @Nullable Instant time(String id, Map<String, Json> answers) {
    var receipt = answers.get(id + RECEIPT);
    return receipt == null ? null : CODEC.decode(receipt).at();
  }

  private static String digest(Json payload) {
    return HexFormat.of().formatHex(Sha256.of(Json.parse(payload.text()).text()));
  }
}
