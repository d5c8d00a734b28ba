package dev.superstep.credential;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// A vault in memory. Safe for many threads.
final class MemoryVault implements CredentialVault {
  private final ConcurrentHashMap<Place, Credential> all = new ConcurrentHashMap<>();

  private record Place(RunPrincipal principal, String service) {}

  @Override
  public Optional<Credential> find(RunPrincipal principal, String service) {
    return Optional.ofNullable(all.get(new Place(principal, service)));
  }

  @Override
  public void put(RunPrincipal principal, String service, Credential credential) {
    all.put(new Place(principal, service), credential);
  }

  @Override
  public boolean remove(RunPrincipal principal, String service) {
    return all.remove(new Place(principal, service)) != null;
  }

  @Override
  public String toString() {
    return "CredentialVault[" + all.size() + " in memory]";
  }
}
