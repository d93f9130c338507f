"""The pool of threads on which large loops run, as native functions.

A *job* is a kernel that is called for ranges of an index: `kernel(given, first, last)`. Its index
is cut into blocks by the work of a turn alone, so what is computed never depends on the number of
threads. Whoever takes part draws blocks from one counter, the caller first of all: it never waits
for a worker that has not begun a block, only, at the end, for those that are in one.

One word, STATE, holds the number of the job (high) and of the next block (low). A worker reads it,
reads what the job is, and takes the block by exchanging the word for the next one; where another
job has begun meanwhile, that fails. So nobody runs a block of a job that is over.

Workers look for a job some microseconds long, then sleep in the kernel. One job runs at a time: a
caller that finds the pool busy (a thread of its own, or a loop within a block) runs alone. Workers
are threads of the system, made when the first job wants them, that never touch Python and block
all signals.

On busy cores sharing can lose: a worker that the system puts aside in the middle of a block is
waited for, some milliseconds; waking one takes long where the processors are busy. So each job
compares how long its caller woke workers and waited for them with how long it would have computed
what they did, by the blocks that it ran itself. Gains are saved, losses spend them; when nothing
is left, callers run alone for a time in proportion to what was lost, and then try anew. Written,
as `frames` is, over addresses; `kernels.threads` has the settings.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

WORDS = 160
"""Words of the pool's memory. What different threads write lies in different cache lines."""
LEAST = 0
"""At this word: the least work of a loop, in about sixteenths of a nanosecond, that is cut."""
PIECE = 1
"""About how much work a block has."""
THREADS = 2
STARTED = 3
READY = 4
"""Whether the mutex and the conditions are made."""
ALWAYS = 5
"""Whether jobs are shared whatever came of it, as tests want it."""
BALANCE = 8
"""The nanoseconds that sharing may lose before callers run alone."""
ALONE_UNTIL = 9
"""Until then callers run alone, by the clock's nanoseconds."""
STATE = 16
DONE = 32
WAITING = 48
SLEEPING = 64
BUSY = 80
KERNEL = 96
GIVEN = 97
COUNT = 98
SIZE = 99
BLOCKS = 100
PROCESSOR = 101
"""On which processor the caller runs. A worker that finds itself there would only hold it up."""
LOW = 0xFFFFFFFF
CLOSED = 0x7FFFFFFF
MUTEX = 8 * 128
WORK = 8 * 140
REST = 8 * 150
"""Where the mutex and the conditions lie (workers wait for work, the caller for the rest), in
bytes. No system has larger ones than 64 bytes (macOS)."""
SPINS = 1500
"""How often a thread looks, with a pause of the processor between, before it sleeps."""
TRIAL = 200000
"""The balance at first, and after a time alone, in nanoseconds: the first jobs wake the workers."""
SAVINGS = 1000000
"""The largest balance: what a pause of a worker costs where its core is seldom wanted elsewhere."""
PATIENCE = 32
LONGEST = 1000000000
"""What is lost by sharing costs at most a 32nd of the time; after a second, it is tried again."""
CLOCK = int(getattr(time, "CLOCK_MONOTONIC", 1))
CLOCK_OF_THREAD = int(getattr(time, "CLOCK_THREAD_CPUTIME_ID", 3))
"""It stands still while the system puts the thread aside."""
NATIVE = int(os.name == "posix")
"""Where there are no POSIX threads, callers run alone."""
PLACED = int(sys.platform == "linux")
"""Whether threads can tell where they run, and move. The system wakes a worker beside its caller
where another thread (of NumPy's BLAS, say, that looks for work for a while) keeps the rest busy."""
MASK = 16
"""The words of a set of processors: 1,024 of them. Where there are more, workers stay."""
BLOCK_SIGNALS = int(getattr(signal, "SIG_BLOCK", 0))

# Bound when this is compiled: the C library's functions, and the primitives of
# `codegen.vocabulary`, of which those of memory are atomic.
pthread_create: Any = None
pthread_detach: Any = None
pthread_mutex_init: Any = None
pthread_mutex_lock: Any = None
pthread_mutex_unlock: Any = None
pthread_cond_init: Any = None
pthread_cond_signal: Any = None
pthread_cond_broadcast: Any = None
pthread_cond_wait: Any = None
pthread_sigmask: Any = None
sigfillset: Any = None
clock_gettime: Any = None
getpid: Any = None
sched_getcpu: Any = None
sched_getaffinity: Any = None
sched_setaffinity: Any = None
shared_load: Any = None
shared_store: Any = None
shared_add: Any = None
shared_exchange: Any = None
stack_words: Any = None
call_kernel: Any = None
address_of_serve: Any = None
pause: Any = None
pool_of_threads: Any = None
int64: Any = None
int64_at: Any = None


def run_blocks(kernel: Any, given: Any, count: Any, work: Any) -> Any:
    """Run `kernel(given, first, last)` for all of range(count); `work`: that of one turn."""
    pool = pool_of_threads()
    size = max(shared_load(pool + 8 * PIECE) // max(work, 1), 1)
    if size >= 64:
        size = size & -64
    blocks = (count + size - 1) // size
    wanted = min(shared_load(pool + 8 * THREADS), blocks) - 1
    if NATIVE == 0 or wanted < 1 or shared_exchange(pool + 8 * BUSY, 0, 1) == 0:
        call_kernel(kernel, given, 0, count)
        return 0
    began = now()
    if began < shared_load(pool + 8 * ALONE_UNTIL) and shared_load(pool + 8 * ALWAYS) == 0:
        call_kernel(kernel, given, 0, count)
        shared_store(pool + 8 * BUSY, 0)
        return 0
    start_workers(pool, wanted)
    state = (shared_load(pool + 8 * STATE) & ~LOW) + LOW + 1
    shared_store(pool + 8 * STATE, state + CLOSED)
    shared_store(pool + 8 * KERNEL, kernel)
    shared_store(pool + 8 * GIVEN, given)
    shared_store(pool + 8 * COUNT, count)
    shared_store(pool + 8 * SIZE, size)
    shared_store(pool + 8 * BLOCKS, blocks)
    shared_store(pool + 8 * PROCESSOR, processor())
    shared_store(pool + 8 * DONE, 0)
    shared_store(pool + 8 * STATE, state)
    wake_workers(pool, wanted)
    lost = now() - began
    computed = own_time()
    own = 0
    while run_block(pool) != 0:
        own = own + 1
    computed = own_time() - computed
    began = now()
    wait_for(pool, blocks - own)
    lost = lost + now() - began
    note_loss(pool, lost - computed * (blocks - own) // max(own, 1))
    shared_store(pool + 8 * BUSY, 0)
    return 0


def now() -> Any:
    """The clock, in nanoseconds."""
    room = stack_words(2)
    clock_gettime(CLOCK, room)
    return int64_at(room)[0] * 1000000000 + int64_at(room)[1]


def own_time() -> Any:
    """How long this thread has run, in nanoseconds."""
    room = stack_words(2)
    clock_gettime(CLOCK_OF_THREAD, room)
    return int64_at(room)[0] * 1000000000 + int64_at(room)[1]


def processor() -> Any:
    """The number of the processor that this thread runs on."""
    if PLACED == 0:
        return 0
    return int64(sched_getcpu())


def note_loss(pool: Any, loss: Any) -> Any:
    """Note how much longer a job took than it would have alone: a gain, where that is negative."""
    balance = min(shared_load(pool + 8 * BALANCE) - loss, SAVINGS)
    if balance < 0:
        shared_store(pool + 8 * ALONE_UNTIL, now() + min(PATIENCE * (TRIAL - balance), LONGEST))
        balance = TRIAL
    shared_store(pool + 8 * BALANCE, balance)
    return 0


def run_block(pool: Any) -> Any:
    """Take the next block and run it; gives 0 where there is none."""
    while True:
        state = shared_load(pool + 8 * STATE)
        block = state & LOW
        if block >= shared_load(pool + 8 * BLOCKS):
            return 0
        kernel = shared_load(pool + 8 * KERNEL)
        given = shared_load(pool + 8 * GIVEN)
        first = block * shared_load(pool + 8 * SIZE)
        last = min(first + shared_load(pool + 8 * SIZE), shared_load(pool + 8 * COUNT))
        if shared_exchange(pool + 8 * STATE, state, state + 1) != 0:
            call_kernel(kernel, given, first, last)
            return 1
    return 0


def wait_for(pool: Any, blocks: Any) -> Any:
    """Wait until the workers have finished the blocks that they began."""
    for _ in range(SPINS):
        if shared_load(pool + 8 * DONE) >= blocks:
            return 0
        pause()
    pthread_mutex_lock(pool + MUTEX)
    shared_store(pool + 8 * WAITING, 1)
    while shared_load(pool + 8 * DONE) < blocks:
        pthread_cond_wait(pool + REST, pool + MUTEX)
    shared_store(pool + 8 * WAITING, 0)
    pthread_mutex_unlock(pool + MUTEX)
    return 0


def wake_workers(pool: Any, wanted: Any) -> Any:
    """Wake as many workers as are wanted, where some sleep."""
    if shared_load(pool + 8 * SLEEPING) > 0:
        pthread_mutex_lock(pool + MUTEX)
        for _ in range(min(wanted, shared_load(pool + 8 * SLEEPING))):
            pthread_cond_signal(pool + WORK)
        pthread_mutex_unlock(pool + MUTEX)
    return 0


def start_workers(pool: Any, wanted: Any) -> Any:
    """Make as many workers as are wanted, if they can be made."""
    if shared_load(pool + 8 * READY) == 0:
        pthread_mutex_init(pool + MUTEX, 0)
        pthread_cond_init(pool + WORK, 0)
        pthread_cond_init(pool + REST, 0)
        shared_store(pool + 8 * READY, 1)
    while shared_load(pool + 8 * STARTED) < wanted:
        room = stack_words(2)
        if pthread_create(room, 0, address_of_serve(), shared_load(pool + 8 * STARTED)) != 0:
            return 0
        pthread_detach(int64_at(room)[0])
        shared_add(pool + 8 * STARTED, 1)
    return 0


def serve(number: Any) -> Any:
    """What a worker does; it ends when there are to be fewer threads than its number says."""
    pool = pool_of_threads()
    every = stack_words(16)
    sigfillset(every)
    pthread_sigmask(BLOCK_SIGNALS, every, 0)
    looks = 0
    while number < shared_load(pool + 8 * THREADS) - 1:
        if PLACED != 0 and is_idle(pool) == 0:
            leave(shared_load(pool + 8 * PROCESSOR))
        if run_block(pool) != 0:
            shared_add(pool + 8 * DONE, 1)
            if shared_load(pool + 8 * WAITING) != 0:
                pthread_mutex_lock(pool + MUTEX)
                pthread_cond_signal(pool + REST)
                pthread_mutex_unlock(pool + MUTEX)
            looks = 0
        elif looks < SPINS:
            looks = looks + 1
            pause()
        else:
            sleep(pool, number)
            looks = 0
    shared_add(pool + 8 * STARTED, -1)
    return 0


def leave(other: Any) -> Any:
    """Leave the processor `other`, where this thread runs on it and may run on others."""
    if processor() == other and other < 64 * MASK:
        room = stack_words(MASK)
        if sched_getaffinity(getpid(), 8 * MASK, room) > 0:
            words = int64_at(room)
            words[other // 64] = words[other // 64] & ~(1 << (other % 64))
            sched_setaffinity(0, 8 * MASK, room)
    return 0


def sleep(pool: Any, number: Any) -> Any:
    """Sleep until there is a job, or this worker is wanted no more."""
    pthread_mutex_lock(pool + MUTEX)
    shared_add(pool + 8 * SLEEPING, 1)
    while number < shared_load(pool + 8 * THREADS) - 1 and is_idle(pool) != 0:
        pthread_cond_wait(pool + WORK, pool + MUTEX)
    shared_add(pool + 8 * SLEEPING, -1)
    pthread_mutex_unlock(pool + MUTEX)
    return 0


def is_idle(pool: Any) -> Any:
    """Whether no block is left."""
    left = shared_load(pool + 8 * BLOCKS) - (shared_load(pool + 8 * STATE) & LOW)
    return 1 if left <= 0 else 0


def set_threads(count: Any) -> Any:
    """Say how many threads a job may have, its caller included."""
    pool = pool_of_threads()
    shared_store(pool + 8 * THREADS, count)
    if NATIVE != 0 and shared_load(pool + 8 * READY) != 0:
        pthread_mutex_lock(pool + MUTEX)
        pthread_cond_broadcast(pool + WORK)
        pthread_mutex_unlock(pool + MUTEX)
    return 0


def forget_workers() -> Any:
    """In a process that was forked: there are no workers, and nothing is locked."""
    pool = pool_of_threads()
    shared_store(pool + 8 * STARTED, 0)
    shared_store(pool + 8 * READY, 0)
    shared_store(pool + 8 * WAITING, 0)
    shared_store(pool + 8 * SLEEPING, 0)
    shared_store(pool + 8 * BUSY, 0)
    return 0


SIGNATURES = {"run_blocks": 4, "set_threads": 1, "forget_workers": 0, "serve": 1}
"""How many int64 each takes; each gives an int64."""
LIBRARY = (
    "pthread_create",
    "pthread_detach",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_cond_wait",
    "pthread_sigmask",
    "sigfillset",
    "clock_gettime",
    "getpid",
    "sched_getcpu",
    "sched_getaffinity",
    "sched_setaffinity",
)
"""The C library's functions that the pool calls; each gives an int."""
