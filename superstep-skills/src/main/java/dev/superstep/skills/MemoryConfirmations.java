package dev.superstep.skills;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Confirmations in memory.
final class MemoryConfirmations implements Confirmations {
  private final Map<String, String> digests = new ConcurrentHashMap<>();

  @Override
  public boolean isConfirmed(String subject, String digest) {
    return digest.equals(digests.get(subject));
  }

  @Override
  public void confirm(String subject, String digest) {
    digests.put(subject, digest);
  }

  @Override
  public void revoke(String subject) {
    digests.remove(subject);
  }
}
