/* The table of a cyclic redundancy check. */
#include "data.h"

void crc_table(uint32_t table[restrict 256], uint32_t polynomial)
{
#pragma scop
    for (int i = 0; i < 256; i++) {
        uint32_t c = (uint32_t)i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? polynomial ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
#pragma endscop
}

int main(void)
{
    uint32_t table[256];
    crc_table(table, 0xedb88320u);
    data_show("crc_table", 256, table, sizeof table);
    crc_table(table, 0x82f63b78u);
    data_show("crc_table", 256, table, sizeof table);
}
