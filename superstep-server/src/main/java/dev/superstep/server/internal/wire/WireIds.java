package dev.superstep.server.internal.wire;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Ids that clients see and the engine does not have.
public final class WireIds {
  private static final Pattern UUIDS =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final int HEX = 16;
  private static final int DIGITS = 32;
  private static final BigInteger FIRST = BigInteger.ZERO;
  private static final BigInteger LAST = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

  private WireIds() {}

  /// The id of a task: always the same for the same one, and without a separator of namespaces.
  public static String task(String task) {
    return UUID.nameUUIDFromBytes(task.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /// The part of a namespace for a graph that a task runs.
  public static String segment(String node, String task) {
    return node + ":" + task(task);
  }

  /// The id of the checkpoint before an input, which sorts right before that of the input; empty if
  /// the id is none of the engine's own.
  public static Optional<String> before(String input) {
    return moved(input, BigInteger.ONE.negate());
  }

  /// The input before which a checkpoint of this id would be.
  public static Optional<String> after(String id) {
    return moved(id, BigInteger.ONE);
  }

  private static Optional<String> moved(String id, BigInteger by) {
    if (!UUIDS.matcher(id).matches()) return Optional.empty();
    var number = new BigInteger(id.replace("-", ""), HEX).add(by);
    if (number.compareTo(FIRST) < 0 || number.compareTo(LAST) > 0) return Optional.empty();
    var digits = number.toString(HEX);
    var all = "0".repeat(DIGITS - digits.length()) + digits;
    return Optional.of(
        "%s-%s-%s-%s-%s"
            .formatted(
                all.substring(0, 8),
                all.substring(8, 12),
                all.substring(12, 16),
                all.substring(16, 20),
                all.substring(20)));
  }
}
