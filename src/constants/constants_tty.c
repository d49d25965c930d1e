// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <asm/termios.h>
#include <linux/tty.h>

/* clang-format off */

static const struct kt_label tty_backspace_of[] = {
	C(BS0), C(BS1),
};

static const struct kt_label tty_character_of[] = {
	C(VINTR), C(VQUIT), C(VERASE), C(VKILL), C(VEOF), C(VTIME), C(VMIN), C(VSWTC), C(VSTART),
	C(VSTOP), C(VSUSP), C(VEOL), C(VREPRINT), C(VDISCARD), C(VWERASE), C(VLNEXT), C(VEOL2),
};

static const struct kt_label tty_control_of[] = {
	C(CSTOPB), C(CREAD), C(PARENB), C(PARODD), C(HUPCL), C(CLOCAL), {0x20000000, "ADDRB"},
	C(CMSPAR), C(CRTSCTS),
};

static const struct kt_label tty_flow_of[] = {
	C(TCOOFF), C(TCOON), C(TCIOFF), C(TCION),
};

static const struct kt_label tty_flush_of[] = {
	C(TCIFLUSH), C(TCOFLUSH), C(TCIOFLUSH),
};

static const struct kt_label tty_form_of[] = {
	C(FF0), C(FF1),
};

static const struct kt_label tty_input_of[] = {
	C(IGNBRK), C(BRKINT), C(IGNPAR), C(PARMRK), C(INPCK), C(ISTRIP), C(INLCR), C(IGNCR),
	C(ICRNL), C(IUCLC), C(IXON), C(IXANY), C(IXOFF), C(IMAXBEL), C(IUTF8),
};

#define INPUT(speed) {(uint64_t)(speed) << IBSHIFT, #speed "<<IBSHIFT"}

static const struct kt_label tty_input_speed_of[] = {
	INPUT(B50), INPUT(B75), INPUT(B110), INPUT(B134), INPUT(B150), INPUT(B200), INPUT(B300),
	INPUT(B600), INPUT(B1200), INPUT(B1800), INPUT(B2400), INPUT(B4800), INPUT(B9600),
	INPUT(B19200), INPUT(B38400), INPUT(BOTHER), INPUT(B57600), INPUT(B115200),
	INPUT(B230400), INPUT(B460800), INPUT(B500000), INPUT(B576000), INPUT(B921600),
	INPUT(B1000000), INPUT(B1152000), INPUT(B1500000), INPUT(B2000000), INPUT(B2500000),
	INPUT(B3000000), INPUT(B3500000), INPUT(B4000000),
};

static const struct kt_label tty_line_of[] = {
	C(N_TTY), C(N_SLIP), C(N_MOUSE), C(N_PPP), C(N_STRIP), C(N_AX25), C(N_X25), C(N_6PACK),
	C(N_MASC), C(N_R3964), C(N_PROFIBUS_FDL), C(N_IRDA), C(N_SMSBLOCK), C(N_HDLC),
	C(N_SYNC_PPP), C(N_HCI), C(N_GIGASET_M101), C(N_SLCAN), C(N_PPS), C(N_V253),
	C(N_CAIF), C(N_GSM0710), C(N_TI_WL), C(N_TRACESINK), C(N_TRACEROUTER), C(N_NCI),
	C(N_SPEAKUP), C(N_NULL), {28, "N_MCTP"},
};

static const struct kt_label tty_local_of[] = {
	C(ISIG), C(ICANON), C(XCASE), C(ECHO), C(ECHOE), C(ECHOK), C(ECHONL), C(NOFLSH),
	C(IEXTEN), C(ECHOCTL), C(ECHOPRT), C(ECHOKE), C(FLUSHO), C(PENDIN), C(TOSTOP),
	C(EXTPROC),
};

static const struct kt_label tty_modem_of[] = {
	C(TIOCM_LE), C(TIOCM_DTR), C(TIOCM_RTS), C(TIOCM_ST), C(TIOCM_SR), C(TIOCM_CTS),
	C(TIOCM_CAR), C(TIOCM_RNG), C(TIOCM_DSR), C(TIOCM_OUT1), C(TIOCM_OUT2), C(TIOCM_LOOP),
};

static const struct kt_label tty_newline_of[] = {
	C(NL0), C(NL1),
};

static const struct kt_label tty_output_of[] = {
	C(OPOST), C(OLCUC), C(ONLCR), C(OCRNL), C(ONOCR), C(ONLRET), C(OFILL), C(OFDEL),
};

static const struct kt_label tty_return_of[] = {
	C(CR0), C(CR1), C(CR2), C(CR3),
};

static const struct kt_label tty_size_of[] = {
	C(CS5), C(CS6), C(CS7), C(CS8),
};

static const struct kt_label tty_speed_of[] = {
	C(B0), C(B50), C(B75), C(B110), C(B134), C(B150), C(B200), C(B300), C(B600), C(B1200),
	C(B1800), C(B2400), C(B4800), C(B9600), C(B19200), C(B38400), C(BOTHER), C(B57600),
	C(B115200), C(B230400), C(B460800), C(B500000), C(B576000), C(B921600), C(B1000000),
	C(B1152000), C(B1500000), C(B2000000), C(B2500000), C(B3000000), C(B3500000),
	C(B4000000),
};

static const struct kt_label tty_tab_of[] = {
	C(TAB0), C(TAB1), C(TAB2), C(XTABS),
};

static const struct kt_label tty_vertical_of[] = {
	C(VT0), C(VT1),
};

static const struct kt_labels tables[] = {
	FLAGS(tty_backspace, BSDLY, NULL), VALUES(tty_character, NULL),
	FLAGS(tty_control, 0, NULL), VALUES(tty_flow, "TC???"), VALUES(tty_flush, "TC???"),
	FLAGS(tty_form, FFDLY, NULL), FLAGS(tty_input, 0, NULL),
	FLAGS(tty_input_speed, CIBAUD, NULL), VALUES(tty_line, "N_???"),
	FLAGS(tty_local, 0, NULL), FLAGS(tty_modem, 0, "TIOCM_???"),
	FLAGS(tty_newline, NLDLY, NULL), FLAGS(tty_output, 0, NULL),
	FLAGS(tty_return, CRDLY, NULL), FLAGS(tty_size, CSIZE, NULL),
	FLAGS(tty_speed, CBAUD, "B???"), FLAGS(tty_tab, TABDLY, NULL),
	FLAGS(tty_vertical, VTDLY, NULL),
};

/* clang-format on */

const struct kt_constants kt_constants_of_tty = {tables, sizeof(tables) / sizeof(*tables)};
