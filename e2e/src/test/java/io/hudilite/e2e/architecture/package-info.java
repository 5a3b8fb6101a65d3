/**
 * Rules about who may know whom, checked by a machine. They are here because only this module sees
 * all others. A rule that is in the way is changed here, with its reason.
 */
package io.hudilite.e2e.architecture;
