package dev.superstep.board;

import java.time.Instant;
import java.util.Optional;

/// A task on a board, as it was when the board was read. Immutable.
///
/// @param id assigned by the board, such as `t3`
/// @param key assigned by its author, if any: [NewTask#key]
/// @param reason why it is blocked, rejected or released; empty otherwise
/// @param worker the worker that has claimed it, or had it last
/// @param claims how often it was claimed
/// @param lost how many of its workers were lost since it was last [TaskStatus#TODO] or unblocked
/// @param heartbeat the time of its worker's last heartbeat; absent unless it is in progress
/// @param approvedBy who approved it, if that was required
/// @param note its worker's last note; empty if there is none
/// @param result the outcome; empty until it is done
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
