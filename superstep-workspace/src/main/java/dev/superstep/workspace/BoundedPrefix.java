package dev.superstep.workspace;

import java.nio.ByteBuffer;

/// The first bytes of something, up to a limit. For one reader.
///
/// @param isCut whether there is more
record BoundedPrefix(ByteBuffer bytes, boolean isCut) {
  static BoundedPrefix of(byte[] bytes, boolean isCut) {
    return new BoundedPrefix(ByteBuffer.wrap(bytes), isCut);
  }
}
