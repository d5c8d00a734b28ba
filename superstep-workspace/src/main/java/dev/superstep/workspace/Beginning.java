package dev.superstep.workspace;

import java.nio.ByteBuffer;

/// The first bytes of something, up to a limit. For one reader.
///
/// @param isCut whether there is more
record Beginning(ByteBuffer bytes, boolean isCut) {
  static Beginning of(byte[] bytes, boolean isCut) {
    return new Beginning(ByteBuffer.wrap(bytes), isCut);
  }
}
