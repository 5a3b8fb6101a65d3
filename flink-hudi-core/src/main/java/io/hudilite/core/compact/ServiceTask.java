package io.hudilite.core.compact;

import io.hudilite.core.timeline.InstantTime;

/** A part of a plan that one worker does, for one execution of the plan. */
public interface ServiceTask {

  /** Of the plan. */
  InstantTime instant();

  /** Number of the execution. */
  int claim();

  /** Of the task in the plan, from 0. */
  int number();

  /** What it works on, for people. */
  String describe();
}
