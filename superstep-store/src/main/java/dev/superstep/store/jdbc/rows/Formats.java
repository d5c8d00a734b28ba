package dev.superstep.store.jdbc.rows;

import dev.superstep.json.Json;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.util.List;

/// The formats in which checkpoints were ever written. One that is older than what this program
/// writes is brought up, step by step, each time it is read; its row stays as it is, because rows
/// are only ever added. Immutable.
///
/// @param upcasters the n-th makes format n + 1 of format n; never changed after a release
public record Formats(List<Upcaster> upcasters) {
  /// As many as there are formats before [dev.superstep.checkpoint.Checkpoint#FORMAT].
  public static final Formats KNOWN = new Formats(List.of(body -> body));

  private static final int FIRST = 1;

  /// Makes the next format of a checkpoint's body.
  public interface Upcaster {
    /// Returns the body in the next format.
    ///
    /// @throws dev.superstep.json.MalformedJson if it is not of the format before
    Json next(Json body);
  }

  public Formats {
    upcasters = List.copyOf(upcasters);
  }

  public int newest() {
    return FIRST + upcasters.size();
  }

  /// A body in the newest format.
  ///
  /// @throws UnreadableData if the format is newer than this program
  /// @throws IllegalArgumentException if there never was such a format
  public Json upgraded(int format, Json body) {
    // A newer format may mean anything by what this program seems to know.
    if (format > newest()) {
      throw new UnreadableData(
          "it has format %d and this program knows %d; use a newer Superstep"
              .formatted(format, newest()));
    }
    if (format < FIRST) {
      throw new IllegalArgumentException(
          "it has format %d, which no Superstep wrote; restore a copy".formatted(format));
    }
    var upgraded = body;
    for (var upcaster : upcasters.subList(format - FIRST, upcasters.size())) {
      upgraded = upcaster.next(upgraded);
    }
    return upgraded;
  }
}
