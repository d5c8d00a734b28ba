package dev.superstep.board;

import java.time.Instant;
import java.util.Optional;

/// A task on a board, as it stood when the board was read. Immutable.
///
/// @param id the board's own name for it, such as `t3`
/// @param key by which its author knows it, if it has one: [NewTask#key]
/// @param reason why it is blocked or rejected, or came back from a worker; empty if it did not
/// @param worker who has claimed it, or had it last
/// @param claims how often it was claimed
/// @param lost how often its worker was lost since it was last [TaskStatus#TODO] or unblocked
/// @param heartbeat when its worker was last heard of; absent unless it is in progress
/// @param approvedBy who approved it, if that was needed
/// @param note what its worker last said of it; empty if nothing
/// @param result what came of it; empty until it is done
public record BoardTask(
    String id,
    Optional<String> key,
    String title,
    String details,
    TaskStatus status,
    String reason,
    Optional<String> worker,
    long claims,
    int lost,
    Optional<Instant> heartbeat,
    Optional<String> approvedBy,
    String note,
    String result,
    Instant added,
    Instant changed) {

  /// Begins a changed copy.
  Changing changing() {
    return new Changing(this);
  }

  /// The fields of a changed copy of a task. One thread at a time.
  static final class Changing {
    private final BoardTask from;
    String title;
    String details;
    TaskStatus status;
    String reason;
    Optional<String> worker;
    long claims;
    int lost;
    Optional<Instant> heartbeat;
    Optional<String> approvedBy;
    String note;
    String result;

    private Changing(BoardTask from) {
      this.from = from;
      this.title = from.title;
      this.details = from.details;
      this.status = from.status;
      this.reason = from.reason;
      this.worker = from.worker;
      this.claims = from.claims;
      this.lost = from.lost;
      this.heartbeat = from.heartbeat;
      this.approvedBy = from.approvedBy;
      this.note = from.note;
      this.result = from.result;
    }

    BoardTask at(Instant now) {
      return new BoardTask(
          from.id,
          from.key,
          title,
          details,
          status,
          reason,
          worker,
          claims,
          lost,
          status == TaskStatus.IN_PROGRESS ? heartbeat : Optional.empty(),
          approvedBy,
          note,
          result,
          from.added,
          now);
    }
  }
}
