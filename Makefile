# SPDX-License-Identifier: GPL-2.0-or-later
#
# make            build/ktrace
# make demo       install packages, build, record three seconds, print the report
# make check      install packages, lint, build, fuzz for 20 seconds, run all tests, and some of them
#                 on other kernels
# make check-long make check, then random tests with TIMES=10 rounds, make check-vm, and an hour of
#                 fuzzing
# make test       run all tests            make lint   check style
# make check-vm   run the tests that trace on Debian's kernels in qemu: KERNELS='6.1 7.3', VM_TESTS=
# make vm-shell KERNEL=6.12   a shell on one of these kernels
# make setup      install packages         make format apply the house style
# make install    in DESTDIR/PREFIX        make uninstall
# make bench      overhead, as ratios to other tracers in one run (doc/bench.md)
# make fuzz       fuzz the trace reader for T=600 seconds (doc/fuzz.md)
#
# O=DIR   build directory (build)         V=1      print commands and all test results
# DEBUG=1 no optimization                 SAN=1    with address and undefined-behavior sanitizers
# PREFIX=/usr/local  DESTDIR=              FUZZ=1   the same, built by clang for libFuzzer

VERSION := 0.1.0

O      ?= build
V      ?= 0
DEBUG  ?= 0
SAN    ?= 0
FUZZ   ?= 0
T      ?= 600
SEED   ?= 0
TIMES  ?= 10
PREFIX ?= /usr/local

ifeq ($(FUZZ),1)
override CC  := clang
override SAN := 1
endif

CC       ?= cc
CPPFLAGS += -D_GNU_SOURCE -I. -Isrc
CFLAGS   ?= -g $(if $(filter 1,$(DEBUG)),-O0,-O2)
CFLAGS   += -std=gnu11 -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
            -fvisibility=hidden
LDLIBS   += -lbpf -lcapstone -lelf -ltraceevent -ljson-c
APPLIBS  := -lfuse3
ifeq ($(SAN),1)
CFLAGS   += -fsanitize=address,undefined -fno-sanitize-recover=all
endif
ifeq ($(FUZZ),1)
CFLAGS   += -fsanitize=fuzzer-no-link
endif

src_obj := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard src/*/*.c src/*/*/*.c)))
app_obj := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard app/*.c app/*/*.c app/*/*/*.c)))
traced  := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/traced/*.c)))
tests   := $(filter-out $(traced),$(patsubst %.c,$(O)/%,$(sort $(wildcard tests/*/*.c tests/*/*/*.c))))
bats    := $(sort $(wildcard tests/*/*.bats tests/*/*/*.bats))
fuzzers := $(patsubst %.c,$(O)/%,$(sort $(wildcard fuzz/*.c)))
benches := $(patsubst %.c,$(O)/%,$(sort $(wildcard bench/*.c)))
pages   := $(patsubst %,$(O)/%,$(sort $(wildcard man/*.1)))
c_files := $(sort $(wildcard app/*.[ch] app/*/*.[ch] app/*/*/*.[ch] bench/*.[ch] fuzz/*.[ch] src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch]))

Q    := $(if $(filter 1,$(V)),,@)
say   = $(if $(filter 1,$(V)),,@printf '  %-6s %s\n' $(1) $(2))
# Targets that build everything use all CPUs, unless make has -j.
jobs  = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

all: $(O)/ktrace $(pages)

$(O)/ktrace: $(app_obj) $(O)/libkt.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(APPLIBS)

$(O)/libkt.a: $(src_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/man/%.1: man/%.1 tools/man.sh $(O)/ktrace
	$(Q)mkdir -p $(@D) && tools/man.sh $(O)/ktrace $< >$@.part && mv $@.part $@

# All calls of this machine's kernel headers: CALL(read) and so on.
$(O)/src/constants/syscalls.inc: $(O)/flags
	$(Q)mkdir -p $(@D) && echo '#include <sys/syscall.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/CALL(\1)/p' | LC_ALL=C sort >$@

$(O)/src/constants/constants_calls.o: CPPFLAGS += -I$(O)/src
$(O)/src/constants/constants_calls.o: $(O)/src/constants/syscalls.inc

$(O)/app/main.o: CPPFLAGS += -DKTRACE_VERSION='"$(VERSION)"'

$(O)/%.o: %.c $(O)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(tests) $(fuzzers): LDLIBS += -lcmocka
$(fuzzers): LDFLAGS += -fsanitize=fuzzer

$(tests) $(traced) $(benches) $(fuzzers): %: %.o $(O)/libkt.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Rewritten only when compiler or flags change, so that objects of different builds never mix.
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(CC) $(CPPFLAGS) $(CFLAGS)' | cmp -s - $@ || \
		echo '$(VERSION) $(CC) $(CPPFLAGS) $(CFLAGS)' >$@

# Lint, fuzzing and tests follow each other even with -j, so that the last line is the sum of the
# tests. SEED=1 gives the fuzzer the same inputs each time. It uses one CPU; the others build.
check: setup
	@$(MAKE) $(jobs) --no-print-directory lint
	@$(MAKE) $(jobs) --no-print-directory fuzz programs T=20 SEED=1
	@$(MAKE) $(jobs) --no-print-directory test
	@$(MAKE) --no-print-directory check-vm VM_TESTS='$(vm_some)'

# Tests with random kills, random moments or random calls.
random := tests/flight/rounds.bats tests/live/strace/awkward.bats tests/live/strace/behaviour.bats

check-long: check
	@TIMES=$(TIMES) TEST_TIMEOUT=1800 $(MAKE) --no-print-directory test tests= 'bats=$(random)'
	@$(MAKE) --no-print-directory check-vm
	@$(MAKE) --no-print-directory fuzz T=3600 SEED=0

demo:
	@tools/setup.sh build
	@$(MAKE) $(jobs) --no-print-directory all
	@KTRACE=$(O)/ktrace tools/demo.sh

bench: $(O)/ktrace $(benches)
	@tools/setup.sh bench
	@for b in $(benches); do KTRACE=$(O)/ktrace $$b || exit; done

# Fuzzers and the library are built with libFuzzer and sanitizers in $(O)/fuzzing.
fuzz:
	@$(MAKE) --no-print-directory FUZZ=1 O=$(O)/fuzzing fuzzers
	@tools/fuzz.sh $(T) $(SEED) $(patsubst $(O)/%,$(O)/fuzzing/%,$(fuzzers))

fuzzers: $(fuzzers)

setup:
	@tools/setup.sh

programs: $(O)/ktrace $(pages) $(tests) $(traced) $(benches)

test: programs
	@KTRACE=$(abspath $(O)/ktrace) BENCH=$(abspath $(O)/bench) TRACED=$(abspath $(O)/tests/traced) \
		VERSION=$(VERSION) V=$(V) \
		LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 \
		tools/run-tests.sh $(tests) $(bats)

# Tests on other kernels. Those that do not trace run on the machine's own kernel only. Some of them
# take about 5 minutes for three kernels, all of them hours. 6.1 has no links for many functions; with
# single ones 6.12 does as 6.1.
tracing := $(filter tests/live/% tests/flight/%,$(tests:$(O)/%=%) $(bats))
VM_TESTS ?= $(tracing)
vm_some  := tests/live/session/program tests/live/session/recipe_expr tests/live/session/count_hits \
	tests/live/session/preemption \
	6.1,7.3=tests/live/record/func.bats 6.12,7.3=tests/live/record/func_groups.bats \
	tests/live/record/func_returns.bats \
	tests/live/record/preempted_calls.bats 6.1,7.3=tests/flight/default_events.bats
KERNEL   ?= $(lastword $(shell tools/vm/kernel.sh))
VM_SECONDS ?= 7200

check-vm: programs
	@tools/setup.sh vm
	@KTRACE=$(abspath $(O)/ktrace) BENCH=$(abspath $(O)/bench) TRACED=$(abspath $(O)/tests/traced) \
		VERSION=$(VERSION) V=$(V) \
		LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 TEST_TIMEOUT=900 VM_SECONDS=$(VM_SECONDS) \
		tools/vm/check.sh $(O)/vm $(foreach t,$(VM_TESTS),$(if $(filter %.bats,$t),$t,$(O)/$t))

vm-shell: all
	@tools/setup.sh vm
	@PATH=$(abspath $(O)):$$PATH tools/vm/boot.sh $(O)/vm $(KERNEL)

bindir  := $(DESTDIR)$(PREFIX)/bin
mandir  := $(DESTDIR)$(PREFIX)/share/man/man1
bashdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
unitdir := $(DESTDIR)$(PREFIX)/lib/systemd/system
unit    := ktrace-flight.service

install: $(O)/ktrace $(pages)
	install -D -m 755 -t $(bindir) $(O)/ktrace
	install -D -m 644 -t $(mandir) $(pages)
	install -D -m 644 completion/ktrace.bash $(bashdir)/ktrace
	sed 's,@bindir@,$(abspath $(PREFIX))/bin,' systemd/$(unit).in | \
		install -D -m 644 /dev/stdin $(unitdir)/$(unit)

uninstall:
	rm -f $(bindir)/ktrace $(addprefix $(mandir)/,$(notdir $(pages))) $(bashdir)/ktrace \
		$(unitdir)/$(unit)

lint: $(app_obj) $(src_obj) $(pages)
	$(call say,LINT,'app bench completion fuzz man src systemd tests tools')
	@clang-format --dry-run --Werror $(c_files)
	@mandoc -T lint -W warning $(pages)
	@tools/lint-tree.sh .
	@tools/lint-commits.sh 752c56bb9a887b2f78c0a9b933f10e931d6517bc

format:
	clang-format -i $(c_files)

clean:
	rm -rf $(O)

-include $(patsubst %.o,%.d,$(src_obj) $(app_obj)) $(addsuffix .d,$(tests) $(traced) $(benches) $(fuzzers))

.PHONY: all demo bench check check-long check-vm fuzz fuzzers programs setup test install uninstall \
	lint format clean vm-shell FORCE
.SECONDARY:
