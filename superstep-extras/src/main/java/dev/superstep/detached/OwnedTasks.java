package dev.superstep.detached;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The detached tasks of one owner. Immutable, and safe for many threads as [DetachedTasks] is.
///
/// @param <T> what the tasks give
public final class OwnedTasks<T> {
  private final DetachedTasks<T> tasks;
  private final String owner;

  OwnedTasks(DetachedTasks<T> tasks, String owner) {
    this.tasks = tasks;
    this.owner = owner;
  }

  /// Starts work and returns the id of its task at once.
  ///
  /// @param name for people
  /// @throws TooManyDetachedTasks if no more may be registered
  /// @throws DetachedTasksClosed if the registry is closed
  public String start(String name, DetachedWork<T> work) {
    return start(name, Map.of(), work);
  }

  /// Like [#start(String, DetachedWork)], with labels by which its owner finds it again:
  /// [TaskInfo#labels].
  ///
  /// @param name for people
  /// @throws TooManyDetachedTasks if no more may be registered
  /// @throws DetachedTasksClosed if the registry is closed
  public String start(String name, Map<String, String> labels, DetachedWork<T> work) {
    return tasks.start(owner, name, labels, work);
  }

  /// Waits until a task has ended, but not longer than that, and tells how it stands then. A task
  /// that is still at work stays registered and can be awaited again.
  ///
  /// @throws UnknownDetachedTask if there is none with this id
  /// @throws NotTheOwner if it is somebody else's
  public TaskState<T> await(String id, Duration most) throws InterruptedException {
    return tasks.await(owner, id, most);
  }

  /// Waits until one of these tasks has ended, in whatever way, but not longer than that.
  ///
  /// @return the one that ended first; of those that have ended already, the first that is named
  /// @throws UnknownDetachedTask if there is none with one of these ids
  /// @throws NotTheOwner if one is somebody else's
  public Optional<String> awaitAny(Collection<String> ids, Duration most)
      throws InterruptedException {
    return tasks.awaitAny(owner, ids, most);
  }

  /// Asks a task to stop, interrupts it if it has not ended after the grace of the registry, waits
  /// for that long once more, and tells how it stands then. A caller that is interrupted meanwhile
  /// has asked, and no more.
  ///
  /// @throws UnknownDetachedTask if there is none with this id
  /// @throws NotTheOwner if it is somebody else's
  public TaskState<T> cancel(String id) throws InterruptedException {
    return tasks.cancel(owner, id);
  }

  /// The current information about a task.
  ///
  /// @throws UnknownDetachedTask if there is none with this id
  /// @throws NotTheOwner if it is somebody else's
  public TaskInfo<T> info(String id) {
    return tasks.info(owner, id);
  }

  /// All tasks of this owner, oldest first.
  public List<TaskInfo<T>> all() {
    return tasks.all(owner);
  }

  @Override
  public String toString() {
    return "OwnedTasks[" + owner + "]";
  }
}
